"""Kannel's smsbox: GET sendsms, with a URL that it calls for each delivery report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from .....application.ports.channels import Message, Setting, SettingKind
from .....domain.sms.gsm7 import to_gsm7
from .preset import CALLBACK_TOKEN, Preset, query_token

# Delivered to the phone (1), not delivered (2), accepted by the SMSC (8), refused by it (16); not
# queued (4), which moves no message.
_WANTED = 1 + 2 + 8 + 16
_STATUSES = {
    "1": "delivered",
    "2": "failed",
    "8": "sent",
    "16": "failed",
    # Newer versions say that a failure was an expiry, or is unknown.
    "34": "failed",
    "66": "failed",
}
_GSM, _UCS2 = "0", "2"
# Kannel replaces these when it calls: the report, and its time since 1970.
_ESCAPES = "status=%d&at=%T"


def _expanded(config: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "method": "GET",
        "url": config["url"],
        "query": {
            "username": "{{config.username}}",
            "password": "{{config.password}}",
            "from": "{{sender}}",
            "to": "+{{destination.digits}}",  # D-208
            "text": "{{text}}",
            "charset": "UTF-8",
            "coding": "{{preset.coding}}",
            "validity": "{{preset.validity}}",
            "dlr-mask": "{{preset.mask}}",
            "dlr-url": "{{preset.report_url}}",
            "meta-data": "{{preset.tags}}",
        },
        "accepted": {"id": "{{reference}}"},
        "receipt": {
            "idPath": "reference",
            "referencePath": "reference",
            "statusPath": "status",
            "statuses": _STATUSES,
            "atPath": "at",
            "signature": query_token(config),
        },
        "inbound": {
            "senderPath": "from",
            "recipientPath": "to",
            "textPath": "text",
            "idPath": "id",
            # A text would go to the person.
            "answer": {"contentType": "text/plain"},
        },
    }


def _values(message: Message, callback_url: str) -> Mapping[str, str]:
    ttl = message.ttl_seconds
    # Kannel puts a question mark in the place of what its alphabet has not (D-273).
    unicode = message.unicode or to_gsm7(message.text) is None
    return {
        "coding": _UCS2 if unicode else _GSM,
        # In whole minutes: a code that is valid for less gets one.
        "validity": "" if ttl is None else str(max(ttl // 60, 1)),
        "mask": str(_WANTED) if callback_url else "",
        "report_url": _report_url(message.reference, callback_url) if callback_url else "",
        "tags": _tags(message),
    }


def _report_url(reference: str, callback_url: str) -> str:
    """Return the URL of reports; in a percent sign that is no escape, Kannel wants two of them."""
    query = f"reference={quote(reference, safe=':')}"
    return f"{callback_url}&{query}".replace("%", "%%") + f"&{_ESCAPES}"


def _tags(message: Message) -> str:
    """Return the DLT ids as Kannel's meta-data, which its groups `smpp-tlv` put into the message."""
    ids = {"entity_id": message.entity_id, "template_id": message.template_id}
    given = {name: value for name, value in ids.items() if value}
    return f"?smpp?{urlencode(given)}" if given else ""


KANNEL = Preset(
    settings=(
        Setting(
            name="url",
            kind=SettingKind.URL,
            required=True,
            secret=False,
            help="The whole address of sendsms: http://localhost:13013/cgi-bin/sendsms.",
        ),
        Setting(name="username", required=True, secret=False, help="The name of a sendsms-user."),
        Setting(name="password", required=True, help="The password of the sendsms-user."),
        CALLBACK_TOKEN,
    ),
    expand=_expanded,
    values=_values,
    value_names=("coding", "validity", "mask", "report_url", "tags"),
)
