"""The views of legacy users and of ratings of chats."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from ...domain.legacy.chat_rating import ChatRating
from ..records.legacy_user import LegacyUserRow


@frozen(kw_only=True)
class LegacyUserView:
    """A legacy user, without the password and its hash."""

    id: str
    account_id: str
    email: str = field(repr=False)
    created_at: datetime
    removed_at: datetime | None

    @classmethod
    def of(cls, row: LegacyUserRow) -> LegacyUserView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            account_id=row.account_id,
            email=row.email,
            created_at=row.created_at,
            removed_at=row.removed_at,
        )


@frozen(kw_only=True)
class ChatRatingView:
    """A rating of a chat by an end user."""

    id: str
    account_id: str
    chat_id: str = field(repr=False)
    phone: str = field(repr=False)
    rating: str = field(repr=False)
    created_at: datetime

    @classmethod
    def of(cls, rating_id: str, rating: ChatRating) -> ChatRatingView:
        """Return the view of a rating."""
        return cls(
            id=rating_id,
            account_id=rating.account_id,
            chat_id=rating.chat_id,
            phone=rating.phone,
            rating=rating.rating,
            created_at=rating.created_at,
        )
