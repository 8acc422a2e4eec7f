"""How a WhatsApp template reads, filled in."""

from __future__ import annotations

import pytest

from tests.whatsapp_templates import OTP, code, worded
from watchword.domain.template_filling.whatsapp_filling import message_text
from watchword.domain.whatsapp_template import (
    Body,
    CodeBody,
    CodeFooter,
    Footer,
    TemplateContent,
    TextHeader,
)


def test_a_message_reads_from_top_to_bottom() -> None:
    """Header, body and footer, in that order; buttons are not part of the text."""
    content = worded(Footer(text="Tea House"), Body(text="{{2}}, {{1}}"), TextHeader(text="{{1}}!"))

    assert "Hello!\nTea, {{2}}\nTea House" == message_text(
        content, header=["Hello"], body=["{{2}}", "Tea"]
    )
    assert "{{1}}!\n{{2}}, {{1}}\nTea House" == message_text(content)


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
