"""A template as Meta's API takes it (C-26)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from .....domain.whatsapp_template import (
    Body,
    Buttons,
    Card,
    Carousel,
    CodeBody,
    CodeButtons,
    CodeFooter,
    CopyCodeButton,
    CopyCodeOtpButton,
    Footer,
    LocationHeader,
    MediaHeader,
    OneTapOtpButton,
    PhoneNumberButton,
    QuickReplyButton,
    TemplateDefinition,
    TextHeader,
    UrlButton,
    WordedContent,
)
from .....domain.whatsapp_template.buttons import Button, OtpButton
from .....domain.whatsapp_template.content import CodeComponent, WordedComponent

Json = dict[str, Any]
# Meta's handles of uploaded examples, by our ids.
Handles = Mapping[str, str]


def request_body(template: TemplateDefinition, handles: Handles) -> Json:
    """Return the body that creates a template; `handles` stand in the places of our media."""
    content = template.content
    components = (_component(each, handles) for each in content.components)
    # Meta's own body of a code has no variables to number.
    numbered = isinstance(content, WordedContent)
    return {
        "name": template.name,
        "language": template.language,
        "category": content.category.value,
        "components": [each for each in components if each is not None],
        **({"parameter_format": "POSITIONAL"} if numbered else {}),
    }


def _component(part: WordedComponent | CodeComponent, handles: Handles) -> Json | None:
    """Return a component; None for one that says nothing."""
    match part:
        case TextHeader(text=text, example=example):
            return _header("TEXT", text=text, example=_named("header_text", example))
        case MediaHeader(format=kind, example=example):
            given = None if example is None else [handles.get(each, each) for each in example]
            return _header(kind.value, example=_named("header_handle", given))
        case LocationHeader():
            return _header("LOCATION")
        case Body(text=text, example=example):
            values = None if not example else [[*example]]
            return _given(type="BODY", text=text, example=_named("body_text", values))
        case Footer(text=text):
            return {"type": "FOOTER", "text": text}
        case Buttons(buttons=buttons):
            return {"type": "BUTTONS", "buttons": [_button(each) for each in buttons]}
        case CodeBody(add_security_recommendation=recommended):
            # Meta words the body itself, in the language of the template (D-91).
            return _given(type="BODY", add_security_recommendation=recommended)
        case CodeFooter(code_expiration_minutes=minutes):
            if minutes is None:
                return None
            return {"type": "FOOTER", "code_expiration_minutes": minutes}
        case CodeButtons(buttons=otps):
            return {"type": "BUTTONS", "buttons": [_otp_button(each) for each in otps]}
        case Carousel(cards=cards):
            return {"type": "CAROUSEL", "cards": [_card(each, handles) for each in cards]}
        case _:
            assert_never(part)


def _card(card: Card, handles: Handles) -> Json:
    return {"components": [_component(each, handles) for each in card.components]}


def _header(kind: str, **members: Any) -> Json:
    return _given(type="HEADER", format=kind, **members)


def _button(button: Button) -> Json:
    match button:
        case QuickReplyButton(text=text):
            return {"type": "QUICK_REPLY", "text": text}
        case UrlButton(text=text, url=url, example=example):
            return _given(type="URL", text=text, url=url, example=[*example] if example else None)
        case PhoneNumberButton(text=text, phone_number=number):
            return {"type": "PHONE_NUMBER", "text": text, "phone_number": number}
        case CopyCodeButton(example=coupon):
            return _given(type="COPY_CODE", example=coupon)
        case _:
            assert_never(button)


def _otp_button(button: OtpButton) -> Json:
    match button:
        case CopyCodeOtpButton(text=text):
            return _given(type="OTP", otp_type="COPY_CODE", text=text)
        case OneTapOtpButton():
            apps = [
                {"package_name": each.package_name, "signature_hash": each.signature_hash}
                for each in button.supported_apps
            ]
            return _given(
                type="OTP",
                otp_type="ONE_TAP",
                text=button.text,
                autofill_text=button.autofill_text,
                supported_apps=apps,
            )
        case _:
            assert_never(button)


def _named(name: str, values: Any) -> Json | None:
    return {name: [*values]} if values else None


def _given(**members: Any) -> Json:
    return {name: value for name, value in members.items() if value is not None}
