"""Uploads of files, and what they become (SPEC 2.5, A3, C-58)."""

from __future__ import annotations

from typing import BinaryIO

from msgspec import Struct, field

from .wire import Wire


class Upload(Struct, frozen=True):
    """A file to upload: its name, its bytes or an open binary file, and its content type, if known."""

    name: str
    content: bytes | BinaryIO
    content_type: str | None = None

    def __repr__(self) -> str:
        return f"Upload({self.name!r})"


class MediaByUrl(Wire, frozen=True, kw_only=True):
    """A file that the service fetches from a public address."""

    sender_profile_name: str = field(name="senderProfileName")
    message_type: str
    url: str


class MediaForm(Wire, frozen=True, kw_only=True):
    """The texts of an upload for RCS."""

    sender_profile_name: str = field(name="senderProfileName")
    message_type: str


class HostedMedia(Wire, frozen=True, kw_only=True):
    """An uploaded file of an RCS sender, and its public address."""

    id: str
    status: str
    http_status: int
    service_media_url: str


class UploadedMedia(Wire, frozen=True, kw_only=True):
    """An uploaded file for WhatsApp."""

    id: str
    status: str
    http_status: int
