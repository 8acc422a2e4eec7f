"""WhatsApp templates created, reviewed and fetched over HTTP."""

from __future__ import annotations

from typing import Any

from tests.entrypoints.caller import Caller, Reply
from watchword.entrypoints.demo.templates import NAME as DEMO

TEXT: dict[str, Any] = {
    "name": "tea_sent",
    "language": "en_US",
    "category": "UTILITY",
    "components": [{"type": "BODY", "text": "Your tea is on its way."}],
}
FULL: dict[str, Any] = {
    "name": "new_teas",
    "language": "pt_BR",
    "category": "MARKETING",
    "components": [
        {
            "type": "HEADER",
            "format": "TEXT",
            "text": "For you, {{1}}",
            "example": {"header_text": ["Mei"]},
        },
        {
            "type": "BODY",
            "text": "The {{1}} is here, {{2}}.",
            "example": {"body_text": [["oolong", "Mei"]]},
        },
        {"type": "FOOTER", "text": "Tea House"},
        {
            "type": "BUTTONS",
            "buttons": [
                {"type": "QUICK_REPLY", "text": "Stop"},
                {
                    "type": "URL",
                    "text": "Look",
                    "url": "https://example.com/{{1}}",
                    "example": ["oolong"],
                },
                {"type": "PHONE_NUMBER", "text": "Call", "phone_number": "+911123456789"},
                {"type": "COPY_CODE", "example": "TEA25"},
            ],
        },
    ],
}
PICTURE: dict[str, Any] = {
    "name": "picture",
    "language": "en",
    "category": "UTILITY",
    "components": [
        {"type": "BODY", "text": "Your tea."},
        {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::aW"]}},
    ],
}
PLACE: dict[str, Any] = {
    "name": "place",
    "language": "fil",
    "category": "UTILITY",
    "components": [{"type": "HEADER", "format": "LOCATION"}, {"type": "BODY", "text": "Here."}],
}
CODE: dict[str, Any] = {
    "name": "code",
    "language": "en",
    "category": "AUTHENTICATION",
    "components": [
        {"type": "BODY", "add_security_recommendation": True},
        {"type": "FOOTER", "code_expiration_minutes": 10},
        {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE", "text": "Copy"}]},
    ],
}
CARD: dict[str, Any] = {
    "components": [
        {"type": "HEADER", "format": "IMAGE"},
        {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}]},
    ]
}
CAROUSEL: dict[str, Any] = {
    "name": "teas",
    "language": "en",
    "category": "MARKETING",
    "components": [
        {"type": "BODY", "text": "Teas of the season"},
        {"type": "CAROUSEL", "cards": [CARD, CARD]},
    ],
}
ONE_TAP: dict[str, Any] = {
    "name": "one_tap",
    "language": "en",
    "category": "AUTHENTICATION",
    "components": [
        {
            "type": "BODY",
            "text": "{{1}} opens the tea room.",
            "example": {"body_text": [["123456"]]},
        },
        {
            "type": "BUTTONS",
            "buttons": [
                {
                    "type": "OTP",
                    "otp_type": "ONE_TAP",
                    "autofill_text": "Fill in",
                    "supported_apps": [
                        {"package_name": "com.example.tea", "signature_hash": "K8a/AINcDTA"}
                    ],
                }
            ],
        },
    ],
}
TEMPLATES = {each["name"]: each for each in (TEXT, FULL, PICTURE, PLACE, CODE, ONE_TAP)}


async def create(caller: Caller, template: Any, **options: Any) -> Reply:
    """Create a template under the caller's key."""
    headers = {"apikey": str(caller.key)}
    return await caller.using(None).post("/wa/templates", template, headers=headers, **options)


async def created(caller: Caller, template: Any) -> dict[str, Any]:
    """Create a template with success, and return the answer."""
    reply = await create(caller, template)
    assert 201 == reply.status, reply.body
    return dict(reply.json)


async def fetched(caller: Caller, **asked: Any) -> list[dict[str, Any]]:
    """Fetch the account's templates, with success; without the demo's own."""
    body = {"channel": "WA", "pageNo": 0, "limit": 100, **asked}
    headers = {"apikey": str(caller.key)}
    reply = await caller.using(None).post("/templates/fetch", body, headers=headers)
    assert 200 == reply.status, reply.body
    return [each for each in reply.json["data"] if each["name"] != DEMO]


async def review(caller: Caller, word: str, name: Any = "tea_sent", **body: Any) -> Reply:
    """Approve or reject, as the operator."""
    return await caller.operate("POST", f"/wa-templates/{name}/{word}", body)


def given(record: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a fetched record that were in its create."""
    return {name: record[name] for name in ("name", "language", "category", "components")}
