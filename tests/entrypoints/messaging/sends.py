"""Bodies of sends that are right, for tests that make one thing wrong or different."""

from __future__ import annotations

from typing import Any

import pytest

from watchword.application.messages.planning.send_requests import SendRequest
from watchword.domain.errors import ValidationFailedError
from watchword.entrypoints.messaging.send_bodies import send_request

RECIPIENT = "+4915112345610"
INDIAN = "+919812345610"

SMS: dict[str, Any] = {
    "sender": "TEAHSE",
    "recipient": RECIPIENT,
    "type": "SI",
    "messageBody": "Your tea is ready.",
}
WA: dict[str, Any] = {
    "messaging_product": "whatsapp",
    "recipient_type": "individual",
    "recipient": [RECIPIENT],
    "sender": "+15550100",
    "type": "template",
    "template": {"name": "tea_ready", "language": {"code": "en"}},
}
RCS: dict[str, Any] = {
    "sender": "Tea House",
    "messageType": "template",
    "recipient": RECIPIENT,
    "contentMessage": {"templateMessage": {"templateCode": "tea_ready"}},
}
FALLBACK: dict[str, Any] = {"fallback_id": "demo", "fallback": True, "waittime": "60"}
FALLBACK_SMS: dict[str, Any] = {"sender": "TEAHSE", "type": "SI", "messageBody": "Tea is ready."}
FALLBACK_WA: dict[str, Any] = {
    "sender": "+15550100",
    "template": "tea_ready",
    "languageCode": "en",
}
FALLBACK_RCS: dict[str, Any] = {
    "sender": "Tea House",
    "messageType": "template",
    "templateCode": "tea_ready",
}


# Sends under the templates of the sandbox's demo account.
INTERACTIVE: dict[str, Any] = {
    "type": "button",
    "header": {"type": "text", "text": "The house"},
    "body": {"text": "Tea?"},
    "footer": {"text": "Open until six"},
    "action": {"buttons": [{"type": "reply", "reply": {"id": "yes", "title": "Yes"}}]},
}
FILLED: list[dict[str, Any]] = [
    {"type": "body", "parameters": [{"type": "text", "text": text} for text in ("Asha", "4711")]}
]
DEMO_WA: dict[str, Any] = {
    **WA,
    "template": {"name": "demo", "language": {"code": "en"}, "components": FILLED},
}
DEMO_FALLBACK_WA: dict[str, Any] = {
    **FALLBACK_WA,
    "template": "demo",
    "templateComponents": FILLED,
}
DEMO_RCS: dict[str, Any] = {
    **RCS,
    "sender": "Watchword",
    "contentMessage": {
        "templateMessage": {
            "templateCode": "demo",
            "customParams": '{"name": "Asha", "order": "4711"}',
        }
    },
}


def session(kind: str, body: Any) -> dict[str, Any]:
    """Return a WhatsApp entry of a session."""
    return {**{k: v for k, v in WA.items() if k != "template"}, "type": kind, kind: body}


def rcs_with(params: Any) -> dict[str, Any]:
    """Return an RCS entry with these custom parameters."""
    message = {"templateCode": "tea_ready", "customParams": params}
    return {**RCS, "contentMessage": {"templateMessage": message}}


def without(body: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a body without one of its members."""
    return {each: value for each, value in body.items() if each != name}


def read(third_parties: tuple[str, ...] = (), **body: Any) -> SendRequest:
    """Read a body."""
    return send_request(body, third_parties)


def problems(third_parties: tuple[str, ...] = (), **body: Any) -> dict[str, str]:
    """Return what is wrong with a body: messages by the fields that they name."""
    with pytest.raises(ValidationFailedError) as refusal:
        send_request(body, third_parties)
    fields: Any = refusal.value.details["fields"]
    return {each["field"]: each["message"] for each in fields}


def wrong(third_parties: tuple[str, ...] = (), **body: Any) -> list[str]:
    """Return the fields that are named as wrong."""
    return list(problems(third_parties, **body))
