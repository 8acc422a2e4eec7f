"""Hosted media."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from tools.openapi.schemas import an_object, narrowed, reference, words
from watchword.entrypoints.http.media_upload_answers import no_key, wrong_key

_SOME_TEXT = {"type": "string", "minLength": 1}
_A_FILE = {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"}
_REFUSALS = (no_key(), wrong_key())


class UploadedMedia(TypedDict):
    """A medium that messages can name by id."""

    id: str
    status: Literal["success"]
    http_status: Literal[200]


class HostedMedia(UploadedMedia):
    """A medium with an address."""

    service_media_url: str


class MediaKeyRefused(TypedDict):
    """The refusal of a request without a valid key."""

    code: int
    message: str


class MediaUploadError(TypedDict):
    """The refusal of an upload."""

    status: Literal["error"]
    http_status: int
    message: str


class MediaUploadLimited(MediaUploadError):
    """The refusal of an upload beyond a limit of the account."""

    details: Mapping[str, Any]


NAMED: Mapping[str, Any] = {
    "MediaForm": an_object(
        {
            "senderProfileName": _SOME_TEXT,
            "message_type": _SOME_TEXT,
            "file": _A_FILE,
            "url": {"type": "string"},
        },
        ["senderProfileName", "message_type"],
    ),
    "MediaByUrl": an_object(
        {"senderProfileName": _SOME_TEXT, "message_type": _SOME_TEXT, "url": _SOME_TEXT}
    ),
    "WhatsappMediaForm": an_object({"file": _A_FILE}),
    "HostedMedia": HostedMedia,
    "UploadedMedia": UploadedMedia,
    "MediaKeyRefused": narrowed(
        MediaKeyRefused,
        code={"type": "integer", "enum": [each.number for each in _REFUSALS]},
        message=words(each.message for each in _REFUSALS),
    ),
    "MediaUploadError": MediaUploadError,
    "MediaUploadLimited": narrowed(MediaUploadLimited, details=reference("RateDetails")),
}
