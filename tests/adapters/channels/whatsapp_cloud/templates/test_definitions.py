"""Templates go to Meta in Meta's form, which pywa writes alike (C-26)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from pywa.types import templates as pywa

from tests.adapters.channels.whatsapp_cloud.business_account import problems
from tests.whatsapp_templates import templates
from watchword.adapters.channels.whatsapp_cloud.templates.definitions import request_body
from watchword.entrypoints.message_templates.whatsapp_reading import template_definition

BUTTONS = [
    {"type": "QUICK_REPLY", "text": "Stop"},
    {"type": "URL", "text": "Look", "url": "https://a.example/{{1}}", "example": ["oolong"]},
    {"type": "PHONE_NUMBER", "text": "Call", "phone_number": "+15550100"},
    {"type": "COPY_CODE", "example": "250FF"},
]
WORDED = {
    "name": "new_teas",
    "language": "en_US",
    "category": "MARKETING",
    "components": [
        {
            "type": "HEADER",
            "format": "TEXT",
            "text": "Hi {{1}}",
            "example": {"header_text": ["Mei"]},
        },
        {"type": "BODY", "text": "Hi {{1}}, {{2}}.", "example": {"body_text": [["Mei", "now"]]}},
        {"type": "FOOTER", "text": "Teas"},
        {"type": "BUTTONS", "buttons": BUTTONS},
    ],
}
CODE = {
    "name": "login_code",
    "language": "en_US",
    "category": "AUTHENTICATION",
    "components": [
        {"type": "BODY", "add_security_recommendation": True},
        {"type": "FOOTER", "code_expiration_minutes": 5},
        {
            "type": "BUTTONS",
            "buttons": [
                {
                    "type": "OTP",
                    "otp_type": "ONE_TAP",
                    "text": "Copy",
                    "autofill_text": "Fill in",
                    "supported_apps": [
                        {"package_name": "com.example.teas", "signature_hash": "K8a/AINcGX7"}
                    ],
                }
            ],
        },
    ],
}


def card(header: dict[str, Any]) -> dict[str, Any]:
    """Return a card with a header and a button."""
    reply = {"type": "QUICK_REPLY", "text": "More"}
    return {"components": [header, {"type": "BUTTONS", "buttons": [reply]}]}


def written(template: dict[str, Any]) -> Any:
    """Return the body that goes out for a template in our clients' form."""
    return request_body(template_definition(template), {"med_tea": "4::aW"})


def test_a_worded_template_is_written_as_pywa_does() -> None:
    """With its examples, buttons and numbered variables."""
    theirs = pywa.Template(
        name="new_teas",
        language=pywa.TemplateLanguage.ENGLISH_US,
        category=pywa.TemplateCategory.MARKETING,
        components=[
            pywa.HeaderText("Hi {{1}}", "Mei"),
            pywa.BodyText("Hi {{1}}, {{2}}.", "Mei", "now"),
            pywa.FooterText(text="Teas"),
            pywa.Buttons(
                buttons=[
                    pywa.QuickReplyButton(text="Stop"),
                    pywa.URLButton(text="Look", url="https://a.example/{{1}}", example="oolong"),
                    pywa.PhoneNumberButton(text="Call", phone_number="+15550100"),
                    pywa.CopyCodeButton(example="250FF"),
                ]
            ),
        ],
        parameter_format=pywa.ParamFormat.POSITIONAL,
    )

    assert json.loads(theirs.to_json()) == written(WORDED)


def test_an_authentication_template_is_written_as_pywa_does() -> None:
    """With the recommendation, the minutes and the button; Meta words the rest."""
    app = pywa.OTPSupportedApp(package_name="com.example.teas", signature_hash="K8a/AINcGX7")
    theirs = pywa.Template(
        name="login_code",
        language=pywa.TemplateLanguage.ENGLISH_US,
        category=pywa.TemplateCategory.AUTHENTICATION,
        components=[
            pywa.AuthenticationBody(add_security_recommendation=True),
            pywa.AuthenticationFooter(code_expiration_minutes=5),
            pywa.Buttons(
                buttons=[
                    pywa.OneTapOTPButton(text="Copy", autofill_text="Fill in", supported_apps=[app])
                ]
            ),
        ],
    )

    assert json.loads(theirs.to_json()) == written(CODE)


def test_an_authors_wording_of_a_code_is_not_sent() -> None:
    """Meta takes none: its own is in the language of the template (D-91); nor an empty footer."""
    body = {"type": "BODY", "text": "{{1}} it is", "example": {"body_text": [["123456"]]}}
    copy = {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]}
    template = {**CODE, "components": [body, {"type": "FOOTER"}, copy]}

    assert [{"type": "BODY"}, copy] == written(template)["components"]


def test_media_are_named_by_metas_handles() -> None:
    """On a card as in a header; a handle that the author gave goes out as it is."""

    def header(handle: str) -> dict[str, Any]:
        return {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [handle]}}

    cards = {"type": "CAROUSEL", "cards": [card(header("med_tea")), card(header("4::bX"))]}
    template = {**WORDED, "components": [{"type": "BODY", "text": "Teas"}, cards]}
    shown = written(template)["components"][1]["cards"]

    assert [["4::aW"], ["4::bX"]] == [
        each["components"][0]["example"]["header_handle"] for each in shown
    ]


@pytest.mark.parametrize("kind", ["LOCATION", "VIDEO", "DOCUMENT"])
def test_other_headers(kind: str) -> None:
    """They have a format, and no example where none was given."""
    header = {"type": "HEADER", "format": kind}
    template = {**WORDED, "components": [header, {"type": "BODY", "text": "Teas"}]}

    assert header == written(template)["components"][0]


@given(templates)
def test_every_template_that_is_valid_here_has_metas_form(template: dict[str, Any]) -> None:
    """No member that Meta's reference does not have, and none that it misses."""
    assert [] == [*problems(written(template))]
