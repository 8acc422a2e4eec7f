"""The legacy platform."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from tools.openapi.schemas import narrowed
from tools.openapi.types.refusals import FieldProblem
from tools.openapi.types.shapes import text
from watchword.adapters.channels.sandbox_posts import PostedStatus
from watchword.domain.destination import MAX_LENGTH
from watchword.entrypoints.legacy.answer_bodies import RESPONSE_CODES, SUCCESS, UPSTREAM
from watchword.entrypoints.legacy.send_bodies import (
    MAX_URL,
    Button,
    ButtonType,
    Card,
    LegacySend,
    Media,
    MediaType,
    Tags,
)
from watchword.entrypoints.wire.typed_requests import LegacyLogin, LegacyRating


class LegacyToken(TypedDict):
    """What a login gives."""

    token: str
    expiresAt: datetime | None


class LegacyMessage(TypedDict):
    """A message that was taken in."""

    messageId: str


class LegacyCallbackEvent(TypedDict):
    """What became of a message."""

    status: PostedStatus
    messageId: str
    timestamp: datetime
    reason: NotRequired[str]


class LegacyCallback(TypedDict):
    """What a callback of the legacy platform says."""

    event: LegacyCallbackEvent
    phone: str
    tags: Mapping[str, str]


class LegacyDone(TypedDict):
    """All went well."""

    responseCode: int
    message: str


class LegacyLoggedIn(LegacyDone):
    """A login that went well."""

    data: LegacyToken


class LegacySent(LegacyDone):
    """A send that went well."""

    data: LegacyMessage


class LegacyErrorData(TypedDict):
    """What a refusal names: wrong fields, the message that was taken in, or a limit."""

    fields: NotRequired[list[FieldProblem]]
    messageId: NotRequired[str]
    rule: NotRequired[str]
    retryAfterSeconds: NotRequired[int]


class LegacyError(TypedDict):
    """What went wrong."""

    responseCode: int
    message: str
    data: NotRequired[LegacyErrorData]


_SUCCESS = {"const": SUCCESS}
_FAILURE = {"type": "integer", "enum": sorted({*RESPONSE_CODES.values(), UPSTREAM})}

NAMED: Mapping[str, Any] = {
    "LegacyLogin": LegacyLogin,
    "LegacyToken": LegacyToken,
    "LegacyMediaType": MediaType,
    "LegacyMedia": Media,
    "LegacyButtonType": ButtonType,
    "LegacyButton": Button,
    "LegacyCard": Card,
    "LegacyTags": Tags,
    "LegacySend": narrowed(
        LegacySend,
        recipientPhone=text(MAX_LENGTH),
        callbackUrl=text(MAX_URL, required=False, least=0),
    ),
    "LegacyMessage": LegacyMessage,
    "LegacyCallbackEvent": LegacyCallbackEvent,
    "LegacyCallback": LegacyCallback,
    "LegacyRating": LegacyRating,
    "LegacyDone": narrowed(LegacyDone, responseCode=_SUCCESS),
    "LegacyLoggedIn": narrowed(LegacyLoggedIn, responseCode=_SUCCESS),
    "LegacySent": narrowed(LegacySent, responseCode=_SUCCESS),
    "LegacyErrorData": LegacyErrorData,
    "LegacyError": narrowed(LegacyError, responseCode=_FAILURE),
}
