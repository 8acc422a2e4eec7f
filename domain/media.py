"""A medium: a file that an account uploaded; anyone with its address can fetch it (C-25)."""

from __future__ import annotations

import re
from datetime import datetime

import attrs
from attrs import field, frozen

from .accounts.account_limits import within_media_bytes
from .decider import Decider, Decision, as_the_first, begun
from .errors import DomainError, FieldProblem, NotFoundError, ValidationFailedError
from .event import Event, personal

# The size of a file in bytes must be below this (SPEC section 8, C-58).
FILE_LIMIT = 100 * 2**20
MAX_NAME = 255
NO_NAME = "file"
UNKNOWN_TYPE = "application/octet-stream"

_ID = re.compile(r"med_[0-9a-f]{32}")
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,63}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
# Browsers show these types without running code in them, and phones receive them.
_HARMLESS_KINDS = ("audio/", "image/", "video/")
_HARMLESS = frozenset(
    {
        "application/msword",
        "application/pdf",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "text/csv",
        "text/plain",
    }
)


class MediaNotFoundError(NotFoundError):
    """The account has no medium with this id (C-7)."""

    def __init__(self) -> None:
        super().__init__("There is no such medium. Look whether its address was typed whole.")


class MediaRemovedError(DomainError):
    """The medium was removed (C-95)."""

    code = "media_removed"

    def __init__(self) -> None:
        super().__init__("This medium was removed.")


class FileTooLargeError(DomainError):
    """A file reaches the size limit (C-58)."""

    code = "payload_too_large"

    def __init__(self) -> None:
        super().__init__("The file has 100 MiB (104,857,600 bytes) or more. Send a smaller one.")


class EmptyFileError(ValidationFailedError):
    """A file is empty (D-114)."""

    def __init__(self) -> None:
        super().__init__([FieldProblem("file", "must not be empty")])


@frozen(kw_only=True)
class MediaStored(Event):
    """A file was stored under its id, with its `size` in bytes and its `sha256` in hexadecimal."""

    account_id: str
    name: str = personal()
    content_type: str
    size: int
    sha256: str


@frozen(kw_only=True)
class MediaRemoved(Event):
    """The medium was removed; its address answers 410, and its file is deleted."""


MediaEvent = MediaStored | MediaRemoved


@frozen(kw_only=True)
class Media:
    """The state of a medium; its file never changes."""

    account_id: str
    name: str = field(repr=False)
    content_type: str
    size: int
    sha256: str
    created_at: datetime
    removed_at: datetime | None = None

    def is_hosted_for(self, account_id: str) -> bool:
        """Return whether an account hosts the medium, and has not removed it."""
        return self.account_id == account_id and self.removed_at is None


def store(stored: MediaStored) -> Decision:
    """Store a medium."""
    return Decision((stored,))


def remove(media: Media, at: datetime) -> Decision:
    """Remove a medium and return its bytes to the account's limit; nothing if it is removed already."""
    if media.removed_at is not None:
        return Decision()
    return Decision(
        (MediaRemoved(at=at),), (within_media_bytes(media.account_id, -media.size, None),)
    )


def begin(event: MediaStored) -> Media:
    """Return the state after the first event."""
    return begun(Media, event)


def evolve(media: Media, event: MediaRemoved) -> Media:
    """Apply a later event."""
    return attrs.evolve(media, removed_at=event.at)


def is_media_id(text: str) -> bool:
    """Return whether a text can be a medium's id."""
    return _ID.fullmatch(text) is not None


def plain_name(given: str | None) -> str:
    """Return the file name from an upload, without folders and unprintable characters."""
    last = re.split(r"[/\\]", given or "")[-1]
    name = "".join(each for each in last if each.isprintable()).strip()[:MAX_NAME]
    return NO_NAME if name.strip(".") == "" else name


def plain_type(given: str | None) -> str:
    """Return a content type without parameters; a malformed one becomes that of arbitrary bytes."""
    kind = (given or "").partition(";")[0].strip().lower()
    return kind if _TYPE.fullmatch(kind) else UNKNOWN_TYPE


def served_type(content_type: str) -> str:
    """Return the content type that a file is served with: its own only if browsers do not run it."""
    runs_nothing = content_type.startswith(_HARMLESS_KINDS) and not content_type.endswith("xml")
    return content_type if runs_nothing or content_type in _HARMLESS else UNKNOWN_TYPE


def redecide(media: Media | None, event: MediaEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if media is None or isinstance(event, MediaStored):
        return as_the_first(media, event)
    return remove(media, event.at)


media_decider: Decider[Media] = Decider("media", begin, (MediaStored,), evolve, (MediaRemoved,))
