"""The values that a send under a WhatsApp template needs."""

from __future__ import annotations

import pytest

from tests.whatsapp_templates import BODY, OTP, buttons, code, worded
from watchword.domain.whatsapp_template import (
    Body,
    ButtonParameter,
    CodeBody,
    CopyCodeButton,
    HeaderFormat,
    LocationHeader,
    MediaHeader,
    Parameters,
    PhoneNumberButton,
    QuickReplyButton,
    TemplateContent,
    TextHeader,
    UrlButton,
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
        (worded(LocationHeader()), Parameters(header=HeaderFormat.LOCATION, body=0)),
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
    """Parameters are listed by component and position, with the buttons that take a value."""
    assert wanted == parameters(content)
