"""Infobip's SMS API: POST /sms/3/messages, its delivery reports and its inbound messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .....application.ports.channels import Message, Setting, SettingKind
from ...http_client.base_urls import api_address
from .preset import CALLBACK_TOKEN, AnswerPaths, Preset, query_token

# The groups of statuses in which a message was taken: all but REJECTED (5).
_TAKEN = (0, 1, 2, 3, 4)
# Statuses of that group. The number is wrong, wants no messages, or had too many of them (20).
_RECIPIENT = ("8", "10", "14", "20", "51", "52")
# The account has no such network, sender, recipient or route, or no credit.
_ACCOUNT = ("6", "11", "12", "13", "17", "18", "19")
_SYSTEM_ERROR = "21"
# The operator has the message, and not the person yet; its group is DELIVERED (D-207).
_TO_OPERATOR = "2"


def _expanded(config: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "method": "POST",
        "url": f"{api_address(config)}/sms/3/messages",
        "headers": {"Authorization": "App {{config.apiKey}}", "Accept": "application/json"},
        "body": {
            "messages": [
                {
                    "sender": "{{sender}}",
                    "destinations": [{"to": "{{destination.digits}}"}],
                    "content": {"text": "{{text}}"},
                    "options": {
                        "validityPeriod": {
                            "amount": "{{preset.validity}}",
                            "timeUnit": "{{preset.unit}}",
                        },
                        "regional": {
                            "indiaDlt": {
                                "contentTemplateId": "{{template_id}}",
                                "principalEntityId": "{{entity_id}}",
                            }
                        },
                    },
                    "webhooks": {
                        "delivery": {"url": "{{callback_url}}"},
                        "callbackData": "{{reference}}",
                    },
                }
            ]
        },
        "accepted": {
            "idPath": "messages.0.messageId",
            "whenPath": "messages.0.status.groupId",
            "in": [*_TAKEN],
        },
        "rejected": {
            "codePath": "messages.0.status.id",
            "messagePath": "messages.0.status.description",
            "faults": {
                **dict.fromkeys(_RECIPIENT, "recipient"),
                **dict.fromkeys(_ACCOUNT, "account"),
                _SYSTEM_ERROR: "busy",
            },
        },
        "receipt": {
            "itemsPath": "results",
            "idPath": "messageId",
            "referencePath": "callbackData",
            "statusPath": "status.groupId",
            "statuses": {"3": "delivered", "2": "failed", "4": "failed", "5": "failed"},
            "exceptionPath": "status.id",
            "exceptions": {_TO_OPERATOR: "sent"},
            "codePath": "error.id",
            "atPath": "doneAt",
            "signature": query_token(config),
        },
        "inbound": {
            "itemsPath": "results",
            "senderPath": "from",
            "recipientPath": "to",
            "textPath": "text",
            "idPath": "messageId",
        },
    }


def _values(message: Message, _callback_url: str) -> Mapping[str, str]:
    ttl = message.ttl_seconds
    return (
        {"validity": "", "unit": ""} if ttl is None else {"validity": str(ttl), "unit": "SECONDS"}
    )


INFOBIP = Preset(
    settings=(
        Setting(
            name="baseUrl",
            kind=SettingKind.URL,
            required=True,
            secret=False,
            help="Scheme and host of the account's own API: https://xxxxx.api.infobip.com.",
        ),
        Setting(name="apiKey", required=True, help="An API key with the scope sms:message:send."),
        CALLBACK_TOKEN,
    ),
    expand=_expanded,
    values=_values,
    value_names=("validity", "unit"),
    numbers=("validity",),
    places={"url": "baseUrl"},
    answer_paths=AnswerPaths(
        refusal_code="errorCode",
        refusal_message="description",
        segments="messages.0.details.messageCount",
    ),
)
