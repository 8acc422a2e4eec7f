"""Vonage's Messages API: POST /v1/messages, its status callbacks and its inbound messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .....application.ports.channels import Message, Setting, SettingKind
from ...http_client.base_urls import api_address
from .preset import CALLBACK_TOKEN, Preset, query_token

_BASE_URL = "https://api.nexmo.com"
# The seconds of `ttl` that Vonage takes.
_LEAST_TTL, _MOST_TTL = 20, 604_800
_RECIPIENT = ("1050", "1170")
_ACCOUNT = (
    *("1060", "1070", "1080", "1120", "1140", "1160", "1420"),
    *("402", "low-balance", "account-suspended", "unprovisioned", "invalid-api-key"),
)
_BUSY = ("1000", "1460")


def _expanded(config: Mapping[str, Any]) -> Mapping[str, Any]:
    secret = config.get("signatureSecret")
    signature = query_token(config) if secret is None else {"kind": "jwt_hs256", "secret": secret}
    return {
        "method": "POST",
        "url": f"{api_address(config, _BASE_URL)}/v1/messages",
        "auth": {"basic": {"username": config["apiKey"], "password": config["apiSecret"]}},
        "headers": {"Accept": "application/json"},
        "body": {
            "channel": "sms",
            "message_type": "text",
            "to": "{{destination.digits}}",
            "from": "{{preset.sender}}",
            "text": "{{text}}",
            "ttl": "{{preset.ttl}}",
            "client_ref": "{{reference}}",
            "webhook_url": "{{callback_url}}",
            "webhook_version": "v1",
            "sms": {"entity_id": "{{entity_id}}", "content_id": "{{template_id}}"},
        },
        "accepted": {"idPath": "message_uuid"},
        "rejected": {
            "codePath": "type",
            "messagePath": "detail",
            "faults": {
                **dict.fromkeys(_RECIPIENT, "recipient"),
                **dict.fromkeys(_ACCOUNT, "account"),
                **dict.fromkeys(_BUSY, "busy"),
            },
        },
        "receipt": {
            "idPath": "message_uuid",
            "referencePath": "client_ref",
            "statusPath": "status",
            "statuses": {
                "submitted": "sent",
                "delivered": "delivered",
                "read": "read",
                "rejected": "failed",
                "undeliverable": "failed",
            },
            "codePath": "error.title",
            "atPath": "timestamp",
            "signature": signature,
        },
        "inbound": {
            "senderPath": "from",
            "recipientPath": "to",
            "textPath": "text",
            "idPath": "message_uuid",
        },
    }


def _values(message: Message, _callback_url: str) -> Mapping[str, str]:
    ttl = message.ttl_seconds
    return {
        # Vonage wants numbers without a plus, and names as they are.
        "sender": (message.sender or "").removeprefix("+"),
        "ttl": "" if ttl is None else str(min(max(ttl, _LEAST_TTL), _MOST_TTL)),
    }


VONAGE = Preset(
    settings=(
        Setting(name="apiKey", required=True, secret=False, help="The API key of the account."),
        Setting(name="apiSecret", required=True, help="The API secret of the account."),
        Setting(
            name="signatureSecret",
            help="The account's signature secret, which signs its posts; without it, calls have a token.",
        ),
        Setting(
            name="baseUrl",
            kind=SettingKind.URL,
            secret=False,
            help=f"Scheme and host of the API; by default {_BASE_URL}.",
        ),
        CALLBACK_TOKEN,
    ),
    expand=_expanded,
    values=_values,
    value_names=("sender", "ttl"),
    numbers=("ttl",),
    places={"url": "baseUrl", "auth.basic.username": "apiKey"},
)
