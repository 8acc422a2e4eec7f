"""The fields of a media upload, with the refusals of the table in SPEC 2.5 (C-58)."""

from __future__ import annotations

from typing import Any

from attrs import Factory, define

from ...application.media.receiving_media import ReceivedFile
from ...domain.errors import DomainError, FieldProblem, ValidationFailedError
from ...domain.media import EmptyFileError
from .strict_json import parse_json

NO_CONTENT_TYPE = "Missing Content-Type / Missing form data"
OTHER_CONTENT_TYPE = "Content-Type must be multipart/form-data or application"
NO_MESSAGE_TYPE = "message_type is mandatory"
NO_CHANNEL_ID = "channelId is mandatory"
NEITHER = "Either file or url must be provided"
BOTH = "Only one file or url can be provided"
INVALID_JSON = "Invalid JSON"
TEXT_FIELDS = {"message_type": "message_type", "senderProfileName": "sender_profile", "url": "url"}
KNOWN_FIELDS = (*TEXT_FIELDS, "file")


class MediaUploadRefusedError(DomainError):
    """The table of SPEC section 7 refuses an upload; the text is the table's."""

    code = "validation_failed"


@define
class UploadFields:
    """The fields of an upload; a missing field is empty, and an empty file is None."""

    message_type: str = ""
    sender_profile: str = ""
    url: str = ""
    files: int = 0
    file: ReceivedFile | None = None
    unknown: list[str] = Factory(list)

    def check(self) -> None:
        """
        Raise the refusal of the first matching row of the table; any text is a message type (D-86).

        An empty file is in no row (D-114), so it is refused after all of them.
        """
        given = self.files + bool(self.url)
        for wrong, words in (
            (not self.message_type, NO_MESSAGE_TYPE),
            (not given, NEITHER),
            (given > 1, BOTH),
            (not self.sender_profile, NO_CHANNEL_ID),
        ):
            if wrong:
                raise MediaUploadRefusedError(words)
        if self.files and not self.file:
            raise EmptyFileError


def upload_fields(body: bytes) -> UploadFields:
    """Read the fields of an upload from a JSON body."""
    try:
        given: Any = parse_json(body)
    except ValidationFailedError:
        given = None
    if not isinstance(given, dict):
        raise MediaUploadRefusedError(INVALID_JSON)
    asked = UploadFields()
    for name, field in TEXT_FIELDS.items():
        value = given.get(name)
        if not isinstance(value, str | None):
            raise ValidationFailedError([FieldProblem(name, "must be a text")])
        setattr(asked, field, (value or "").strip())
    asked.unknown += (name for name in given if name not in KNOWN_FIELDS)
    # JSON holds no file. A `file` beside the URL counts as one, so that the caller has to choose.
    asked.files = int(bool(asked.url and given.get("file")))
    return asked
