"""The view of a legacy user."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

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
