"""The view of a short link."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from ...domain.short_link import ShortLink


@frozen(kw_only=True)
class ShortLinkView:
    """A short link; `url` is None if only the link's own code opens it (D-76)."""

    id: str
    account_id: str
    message_id: str | None
    url: str | None = field(repr=False)
    clicks: int
    created_at: datetime
    clicked_at: datetime | None
    disabled_at: datetime | None

    @classmethod
    def of(cls, link_id: str, link: ShortLink) -> ShortLinkView:
        """Return the view of a link."""
        return cls(
            id=link_id,
            account_id=link.account_id,
            message_id=link.message_id,
            url=link.url,
            clicks=link.clicks,
            created_at=link.created_at,
            clicked_at=link.clicked_at,
            disabled_at=link.disabled_at,
        )
