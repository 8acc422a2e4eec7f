"""Sends: the primary messages, their fallback and their short links."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

from tools.openapi.patterns import ONE_LINE
from tools.openapi.schemas import Types, an_object, narrowed, or_null, reference, words
from tools.openapi.types.shapes import a_list, any_of, one_of, text, with_members
from watchword.application.messages.planning.send_requests import MAX_MESSAGES
from watchword.domain.channel import Channel
from watchword.domain.destination import MAX_LENGTH
from watchword.domain.message import SmsType
from watchword.entrypoints.messaging.fallback_bodies import FallbackBody, FallbackRcs, FallbackWa
from watchword.entrypoints.messaging.message_bodies import (
    RcsContentMessage,
    RcsEntry,
    RcsTemplateMessage,
    SmsBody,
    SmsEntry,
    WaEntry,
    WaLanguage,
    WaTemplate,
    WaType,
)
from watchword.entrypoints.messaging.message_rules import (
    MAX_REFERENCE,
    MAX_REFERENCES,
    REFERENCE,
    SMS_REFERENCE,
)
from watchword.entrypoints.messaging.send_bodies import SendOptions
from watchword.entrypoints.messaging.url_shorteners import MAX_LONG_URLS, LongUrl, UrlShortener
from watchword.entrypoints.wire.lenient_values import Flag, JsonTexts


class SentMessage(TypedDict):
    """The result of an entry of a send."""

    messageId: str
    channel: Channel
    recipient: str
    status: Literal["accepted", "rejected"]
    errorCode: NotRequired[str]
    errorMessage: NotRequired[str]
    custRefs: Mapping[str, str]
    fallbackRunId: NotRequired[str]


class SentFallback(TypedDict):
    """The fallback that waits for the messages of a send."""

    fallback_id: str
    waittime: str
    deadline: datetime


class SentMessages(TypedDict):
    """The answer to a send."""

    status: Literal["success"]
    requestId: str
    data: list[SentMessage]
    fallback: NotRequired[SentFallback]


_RECIPIENT = text(MAX_LENGTH)
_NAMED: Mapping[str, Any] = {
    "Flag": Flag,
    "CustomParams": JsonTexts,
    "WaLanguage": WaLanguage,
    "RcsTemplateMessage": RcsTemplateMessage,
    "RcsContentMessage": RcsContentMessage,
}
_TYPES = Types(_NAMED)


def _read(
    kind: type, prefix: str | None = None, reference_type: str = "Reference"
) -> dict[str, Any]:
    """Return the schema of a class, with the custom references that are read beside it."""
    schema = _TYPES.described(kind)
    if prefix is None:
        return schema
    references = {f"{prefix}{number}": reference(reference_type) for number in range(1, 6)}
    return with_members(schema, **references)


_SMS = with_members(
    _read(SmsEntry, SMS_REFERENCE, "SmsReference"), recipient=_RECIPIENT, type=words(SmsType)
)
_WA = with_members(_read(WaEntry, REFERENCE), recipient=a_list(_RECIPIENT, 1, MAX_MESSAGES))
_RCS = with_members(_read(RcsEntry, REFERENCE), recipient=_RECIPIENT)
# The object under the name of a WhatsApp message's type.
_SAID: Mapping[WaType, str] = {
    WaType.TEMPLATE: "WaTemplate",
    WaType.TEXT: "WaSessionText",
    WaType.IMAGE: "WaSessionMedia",
    WaType.VIDEO: "WaSessionMedia",
    WaType.DOCUMENT: "WaSessionDocument",
    WaType.AUDIO: "WaMedia",
    WaType.INTERACTIVE: "WaInteractive",
}


def _wa_message(kind: WaType) -> dict[str, Any]:
    said = with_members(_WA, type={"const": str(kind)}, **{kind: reference(_SAID[kind])})
    return {**said, "required": [*said["required"], str(kind)]}


def _wa_name(kind: WaType) -> str:
    return f"Wa{kind.title()}Message"


_PRIMARIES = {"sms": "SmsMessage", "wa": "WaMessage", "rcs": "RcsMessage"}


def _send(primary: str) -> dict[str, Any]:
    others = {name: {"type": "null"} for name in _PRIMARIES if name != primary}
    entries = a_list(reference(_PRIMARIES[primary]), 1, MAX_MESSAGES)
    read = _read(SendOptions)
    fallback = {"anyOf": [*any_of("Fallback", "NoFallback")["anyOf"], {"type": "null"}]}
    shortener = or_null(reference("UrlShortener"))
    said = with_members(
        read, **{primary: entries}, **others, fallback=fallback, urlShortener=shortener
    )
    return {**said, "required": [primary]}


_COMPONENTS = or_null(reference("WaComponents"))
_LONG_URL = _read(LongUrl)

NAMED: Mapping[str, Any] = {
    "Flag": Flag,
    "SmsReference": {
        "anyOf": [
            {"type": ["string", "null"], "maxLength": MAX_REFERENCE},
            {
                "type": "object",
                "propertyNames": {"maxLength": MAX_REFERENCE},
                "additionalProperties": {"type": "string", "maxLength": MAX_REFERENCE},
                "maxProperties": MAX_REFERENCES,
            },
        ]
    },
    "Reference": {"type": ["string", "null"], "pattern": ONE_LINE, "maxLength": MAX_REFERENCE},
    "CustomParams": JsonTexts,
    "SmsMessage": _SMS,
    "WaLanguage": WaLanguage,
    "WaTemplate": with_members(_read(WaTemplate), components=_COMPONENTS),
    **{_wa_name(kind): _wa_message(kind) for kind in WaType},
    "WaMessage": one_of(*map(_wa_name, WaType)),
    "RcsTemplateMessage": RcsTemplateMessage,
    "RcsContentMessage": RcsContentMessage,
    "RcsMessage": _RCS,
    "FallbackSms": _read(SmsBody, SMS_REFERENCE, "SmsReference"),
    "FallbackWa": with_members(_read(FallbackWa, REFERENCE), templateComponents=_COMPONENTS),
    "FallbackRcs": _read(FallbackRcs, REFERENCE),
    # Only false; not all generators of clients support a constant that is no text.
    "NoFallback": an_object({"fallback": {"type": "boolean", "not": {"const": True}}}),
    "Fallback": with_members(
        _read(FallbackBody),
        sms=or_null(reference("FallbackSms")),
        wa=or_null(reference("FallbackWa")),
        rcs=or_null(reference("FallbackRcs")),
    ),
    "LongUrl": _LONG_URL,
    "UrlShortener": {
        **with_members(
            _read(UrlShortener),
            urlDetails=a_list(reference("LongUrl"), 0, MAX_LONG_URLS, required=False),
        ),
        "if": {"properties": {"flag": {"enum": [1, True]}}, "required": ["flag"]},
        "then": {
            "required": ["urlDetails"],
            "properties": {
                "urlDetails": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "required": ["longUrl"],
                        "properties": {
                            "longUrl": {
                                "type": "string",
                                "pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s@]+$",
                            }
                        },
                    },
                }
            },
        },
    },
    "SendSms": _send("sms"),
    "SendWa": _send("wa"),
    "SendRcs": _send("rcs"),
    "Send": one_of("SendSms", "SendWa", "SendRcs"),
    "SentMessage": SentMessage,
    "SentFallback": narrowed(SentFallback, waittime={"type": "string", "pattern": "^[0-9]+$"}),
    "SentMessages": narrowed(SentMessages, data=a_list(reference("SentMessage"), 1, MAX_MESSAGES)),
}
