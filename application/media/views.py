"""The view of a hosted medium."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from ..records.media import MediaRow


@frozen(kw_only=True)
class MediaView:
    """A hosted medium (C-25): its `size` in bytes, and its `sha256` in hexadecimal."""

    id: str
    account_id: str
    name: str = field(repr=False)
    content_type: str
    size: int
    sha256: str
    created_at: datetime
    removed_at: datetime | None

    @classmethod
    def of(cls, row: MediaRow) -> MediaView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            account_id=row.account_id,
            name=row.name,
            content_type=row.content_type,
            size=row.size,
            sha256=row.sha256,
            created_at=row.created_at,
            removed_at=row.removed_at,
        )
