"""The record of a hosted medium; its file is stored elsewhere."""

from __future__ import annotations

from datetime import datetime

from ...domain.event import personal
from ...domain.media import Media, media_decider, redecide
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class MediaRow(Row):
    """A hosted medium (C-25): its `size` in bytes, and its `sha256` in hexadecimal."""

    id: str
    account_id: str
    name: str = personal()
    content_type: str
    size: int
    sha256: str
    created_at: datetime
    removed_at: datetime | None


def media_row(stream: str, media: Media) -> MediaRow:
    """Return the row of a medium."""
    return MediaRow(
        id=stream,
        account_id=media.account_id,
        name=media.name,
        content_type=media.content_type,
        size=media.size,
        sha256=media.sha256,
        created_at=media.created_at,
        removed_at=media.removed_at,
    )


MEDIA = Record(
    decider=media_decider,
    prefix="med",
    state=Media,
    redecide=redecide,
    read_model=ReadModel(
        row=MediaRow,
        name="media",
        found_by=(FoundBy("media_by_account", ("account_id", "removed_at", "created_at", "id")),),
        changing=("removed_at",),
    ),
    project=media_row,
)
