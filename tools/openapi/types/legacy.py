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
    """The result of a login."""

    token: str
    expiresAt: datetime | None


class LegacyMessage(TypedDict):
    """An accepted message."""

    messageId: str


class LegacyCallbackEvent(TypedDict):
    """The status of a message."""

    status: PostedStatus
    messageId: str
    timestamp: datetime
    reason: NotRequired[str]


class LegacyCallback(TypedDict):
    """The body of a legacy callback."""

    event: LegacyCallbackEvent
    phone: str
    tags: Mapping[str, str]


class LegacyDone(TypedDict):
    """A success."""

    responseCode: int
    message: str


class LegacyLoggedIn(LegacyDone):
    """A successful login."""

    data: LegacyToken


class LegacySent(LegacyDone):
    """A successful send."""

    data: LegacyMessage


class LegacyErrorData(TypedDict):
    """The data of a refusal: wrong fields, the accepted message, or a limit."""

    fields: NotRequired[list[FieldProblem]]
    messageId: NotRequired[str]
    rule: NotRequired[str]
    retryAfterSeconds: NotRequired[int]


class LegacyError(TypedDict):
    """A refusal."""

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
