"""Twilio's Programmable Messaging: the Messages resource of 2010-04-01, and its signed callbacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .....application.ports.channels import Message, Setting, SettingKind
from ...http_client.base_urls import api_address
from .preset import AnswerPaths, Preset

_BASE_URL = "https://api.twilio.com"
# The seconds of ValidityPeriod that Twilio takes.
_LEAST_VALIDITY, _MOST_VALIDITY = 1, 36_000
_RECIPIENT = (21211, 21214, 21217, 21265, 21610, 21614, 21635)
_ACCOUNT = (
    *(20003, 20005, 21212, 21408, 21603, 21606, 21607, 21608, 21612, 21659, 21660, 21661),
    *(21703, 21704, 21705, 30002),
)
_BUSY = (14107, 20429, 21611, 30001)


def _expanded(config: Mapping[str, Any]) -> Mapping[str, Any]:
    sender = (
        {"MessagingServiceSid": "{{config.messagingServiceSid}}"}
        if config.get("messagingServiceSid")
        else {"From": "{{sender}}"}
    )
    body = {
        # D-208
        "To": "+{{destination.digits}}",
        **sender,
        "Body": "{{text}}",
        "StatusCallback": "{{callback_url}}",
        "ValidityPeriod": "{{preset.validity}}",
    }
    address = api_address(config, _BASE_URL)
    return {
        "method": "POST",
        "url": f"{address}/2010-04-01/Accounts/{{{{config.accountSid}}}}/Messages.json",
        "auth": {"basic": {"username": config["accountSid"], "password": config["authToken"]}},
        "body": "&".join(f"{name}={value.replace('+', '%2B')}" for name, value in body.items()),
        "accepted": {"idPath": "sid"},
        "rejected": {
            "codePath": "code",
            "messagePath": "message",
            "faults": {
                **{str(code): "recipient" for code in _RECIPIENT},
                **{str(code): "account" for code in _ACCOUNT},
                **{str(code): "busy" for code in _BUSY},
            },
        },
        "receipt": {
            "idPath": "MessageSid",
            "statusPath": "MessageStatus",
            "statuses": {
                "sent": "sent",
                "delivered": "delivered",
                "read": "read",
                "undelivered": "failed",
                "failed": "failed",
                "canceled": "failed",
            },
            "codePath": "ErrorCode",
            "signature": {"kind": "twilio", "secret": config["authToken"]},
        },
        "inbound": {
            "senderPath": "From",
            "recipientPath": "To",
            "textPath": "Body",
            "idPath": "MessageSid",
            # A text would go to the person, and JSON is an error (12300).
            "answer": {"contentType": "text/xml", "body": "<Response/>"},
        },
    }


def _values(message: Message, _callback_url: str) -> Mapping[str, str]:
    ttl = message.ttl_seconds
    if ttl is None:
        return {"validity": ""}
    return {"validity": str(min(max(ttl, _LEAST_VALIDITY), _MOST_VALIDITY))}


TWILIO = Preset(
    settings=(
        Setting(name="accountSid", required=True, secret=False, help="The SID of the account: AC…"),
        Setting(name="authToken", required=True, help="The account's auth token."),
        Setting(
            name="messagingServiceSid",
            secret=False,
            help="The messaging service that chooses the sender: MG…",
        ),
        Setting(
            name="baseUrl",
            kind=SettingKind.URL,
            secret=False,
            help=f"Scheme and host of the API; by default {_BASE_URL}.",
        ),
    ),
    expand=_expanded,
    values=_values,
    value_names=("validity",),
    places={"url": "baseUrl", "auth.basic.username": "accountSid"},
    answer_paths=AnswerPaths(segments="num_segments", price="price", currency="price_unit"),
)
