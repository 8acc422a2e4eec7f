"""Posts of Meta, in the shapes that its reference of webhooks shows; tests have pywa read them, too."""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from typing import Any

from watchword.application.ports.channels import Post

OWN_PHONE, OWN_ACCOUNT, OWN_NUMBER = "106540352242922", "102290129340398", "15550783881"
ASHA, ASHA_ID = "919812345610", "IN.13491208655302741918"
CONFIG = {
    "phoneNumberId": OWN_PHONE,
    "accessToken": "EAAJB-orchid",
    "appSecret": "only the tea house knows",
    "verifyToken": "is it & you?",
    "businessAccountId": OWN_ACCOUNT,
}
URL = "https://pins.example.com/callbacks/cha_orchid"


def whole(*changes: Any, account: str = OWN_ACCOUNT) -> dict[str, Any]:
    """Return a post with changes of one WhatsApp Business account."""
    entry = {"id": account, "time": 1749416383, "changes": [*changes]}
    return {"object": "whatsapp_business_account", "entry": [entry]}


def messages(phone: str = OWN_PHONE, **value: Any) -> dict[str, Any]:
    """Return a change of the field `messages`, about a phone."""
    metadata = {"display_phone_number": OWN_NUMBER, "phone_number_id": phone}
    value = {"messaging_product": "whatsapp", "metadata": metadata, **value}
    return {"field": "messages", "value": value}


def contact(shows_number: bool = True) -> dict[str, Any]:
    """Return a person, who may show a name in place of the number."""
    profile = {"name": "Asha", **({} if shows_number else {"username": "asha.m"})}
    return {"profile": profile, "user_id": ASHA_ID, **({"wa_id": ASHA} if shows_number else {})}


def status(
    message_id: str = "wamid.HBgL", word: Any = "delivered", at: Any = "1749416383", **more: Any
) -> dict[str, Any]:
    """Return the status of a message."""
    return {
        "id": message_id,
        "status": word,
        "timestamp": at,
        "recipient_id": ASHA,
        "recipient_user_id": ASHA_ID,
        **more,
    }


def failure(code: int) -> dict[str, Any]:
    """Return the members that the status of a failed message has."""
    said = {"title": "Undeliverable", "message": "Undeliverable", "error_data": {"details": "No."}}
    return {"errors": [{"code": code, **said}]}


def statuses(*some: Any, phone: str = OWN_PHONE) -> dict[str, Any]:
    """Return a post with statuses."""
    return whole(messages(phone, contacts=[contact()], statuses=[*some]))


def written(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    """Return a message from a person."""
    return {
        "from": ASHA,
        "from_user_id": ASHA_ID,
        "id": "wamid.HBgM",
        "timestamp": "1749416383",
        "type": kind,
        **({} if content is None else {kind: content}),
        **more,
    }


def inbound(*some: Any, phone: str = OWN_PHONE) -> dict[str, Any]:
    """Return a post with messages from people."""
    return whole(messages(phone, contacts=[contact()], messages=[*some]))


def template_event(
    event: str, name: str = "order_ready", language: str = "en_US", **more: Any
) -> dict[str, Any]:
    """Return an event of a template."""
    value = {
        "event": event,
        "message_template_id": 1689556908129832,
        "message_template_name": name,
        "message_template_language": language,
        "message_template_category": "UTILITY",
        "reason": "NONE",
        **more,
    }
    return {"field": "message_template_status_update", "value": value}


def signed(body: bytes, secret: str = CONFIG["appSecret"]) -> dict[str, str]:
    """Return the header that signs a body."""
    digest = hmac.digest(secret.encode(), body, "sha256").hex()
    return {"x-hub-signature-256": f"sha256={digest}"}


def post_of(document: object, secret: str = CONFIG["appSecret"]) -> Post:
    """Return a signed post; a document of bytes goes as it is."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Post(url=URL, headers=signed(body, secret), body=body)


# Each kind of message that people write, and the text that is read in it.
WRITTEN: Sequence[tuple[str, dict[str, Any], str]] = (
    ("text", written("text", {"body": "Is it ready? \u0c95"}), "Is it ready? \u0c95"),
    ("button", written("button", {"text": "Yes", "payload": "yes-7"}), "Yes"),
    (
        "reply button",
        written(
            "interactive", {"type": "button_reply", "button_reply": {"id": "1", "title": "Noon"}}
        ),
        "Noon",
    ),
    (
        "list",
        written(
            "interactive",
            {
                "type": "list_reply",
                "list_reply": {"id": "1", "title": "Oolong", "description": "hot"},
            },
            context={"from": OWN_NUMBER, "id": "wamid.HBgA"},
        ),
        "Oolong",
    ),
    (
        "form",
        written(
            "interactive",
            {
                "type": "nfm_reply",
                "nfm_reply": {"name": "flow", "body": "Sent", "response_json": '{"cups": 2}'},
            },
        ),
        'Sent\n{"cups": 2}',
    ),
    (
        "reaction",
        written("reaction", {"message_id": "wamid.HBgA", "emoji": "\U0001f44d"}),
        "\U0001f44d",
    ),
    (
        "location",
        written(
            "location",
            {"latitude": 12.97, "longitude": 77.59, "name": "Tea house", "address": "1 Hill Road"},
        ),
        "[location 12.970000, 77.590000] Tea house, 1 Hill Road",
    ),
    (
        "image",
        written(
            "image",
            {
                "caption": "This one",
                "mime_type": "image/jpeg",
                "sha256": "SGk=",
                "id": "24230790383",
            },
        ),
        "This one",
    ),
    (
        "image without words",
        written("image", {"mime_type": "image/jpeg", "sha256": "SGk=", "id": "24230790383"}),
        "[image]",
    ),
    (
        "voice",
        written(
            "audio",
            {"mime_type": "audio/ogg; codecs=opus", "sha256": "SGk=", "id": "7", "voice": True},
        ),
        "[audio]",
    ),
    (
        "document",
        written(
            "document",
            {"filename": "bill.pdf", "mime_type": "application/pdf", "sha256": "SGk=", "id": "7"},
        ),
        "[document bill.pdf]",
    ),
    (
        "sticker",
        written(
            "sticker",
            {"mime_type": "image/webp", "sha256": "SGk=", "id": "7", "animated": False},
        ),
        "[sticker]",
    ),
    (
        "contacts",
        written(
            "contacts",
            [
                {
                    "name": {"formatted_name": "Ravi Rao", "first_name": "Ravi"},
                    "phones": [
                        {"phone": "+91 98123 45611", "type": "HOME", "wa_id": "919812345611"}
                    ],
                }
            ],
        ),
        "[contacts] Ravi Rao +91 98123 45611",
    ),
    (
        "order",
        written(
            "order",
            {
                "catalog_id": "7",
                "text": "Today, please",
                "product_items": [
                    {"product_retailer_id": "t1", "quantity": 2, "item_price": 3, "currency": "INR"}
                ],
            },
        ),
        "[order of 1 item] Today, please",
    ),
    (
        "unsupported",
        written(
            "unsupported",
            None,
            unsupported={"type": "poll_creation"},
            errors=[{"code": 131051, "title": "Message type unknown", "message": "Unknown."}],
        ),
        "[unsupported]",
    ),
)
