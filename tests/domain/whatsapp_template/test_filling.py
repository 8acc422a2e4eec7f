"""What a send fills in of a WhatsApp template, and how the message reads then."""

from __future__ import annotations

import pytest

from tests.whatsapp_templates import BODY, OTP, buttons, code, worded
from watchword.domain.whatsapp_template import (
    Body,
    ButtonParameter,
    CodeBody,
    CodeFooter,
    CopyCodeButton,
    Footer,
    HeaderFormat,
    LocationHeader,
    MediaHeader,
    Parameters,
    PhoneNumberButton,
    QuickReplyButton,
    TemplateContent,
    TextHeader,
    UrlButton,
    body_text,
    message_text,
    parameters,
)


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (worded(BODY, TextHeader(text="Tea")), Parameters()),
        (worded(BODY, TextHeader(text="{{1}}")), Parameters(header=HeaderFormat.TEXT)),
        (
            worded(MediaHeader(format=HeaderFormat.VIDEO), Body(text="{{2}} {{1}} {{1}}")),
            Parameters(header=HeaderFormat.VIDEO, body=2),
        ),
        (worded(LocationHeader(), BODY), Parameters(header=HeaderFormat.LOCATION)),
        (
            buttons(
                QuickReplyButton(text="Yes"),
                UrlButton(text="Look", url="https://example.com/"),
                UrlButton(text="Cup", url="https://example.com/{{1}}"),
                PhoneNumberButton(text="Call", phone_number="+919812345610"),
                CopyCodeButton(),
            ),
            Parameters(buttons={2: ButtonParameter.URL, 4: ButtonParameter.COPY_CODE}),
        ),
        (code(OTP, CodeBody()), Parameters(body=1, buttons={0: ButtonParameter.OTP})),
    ],
)
def test_what_a_send_fills_in(content: TemplateContent, wanted: Parameters) -> None:
    """By component and position; of the buttons those that take something."""
    assert wanted == parameters(content)


def test_a_message_reads_from_top_to_bottom() -> None:
    """Header, body and footer, whatever their order in the template; buttons are none of the text."""
    content = worded(Footer(text="Tea House"), Body(text="{{2}}, {{1}}"), TextHeader(text="{{1}}!"))

    assert "Hello!\nTea, {{2}}\nTea House" == message_text(
        content, header=["Hello"], body=["{{2}}", "Tea"]
    )
    assert "{{1}}!\n{{2}}, {{1}}\nTea House" == message_text(content)
    assert "{{2}}, {{1}}" == body_text(content)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (code(CodeBody(), OTP), "123 is your verification code."),
        (
            code(CodeFooter(code_expiration_minutes=5), CodeBody(), OTP),
            "123 is your verification code.\nThis code expires in 5 minutes.",
        ),
        (
            code(CodeBody(add_security_recommendation=True), CodeFooter(), OTP),
            "123 is your verification code. For your security, do not share this code.",
        ),
        (
            code(CodeBody(text="Tea: {{1}}.", add_security_recommendation=True), OTP),
            "Tea: 123. For your security, do not share this code.",
        ),
    ],
)
def test_how_a_code_reads(content: TemplateContent, text: str) -> None:
    """In Meta's English words, but for a text that its author gave (D-91)."""
    assert text == message_text(content, body=["123"])
