"""The view of a test destination."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from ...domain.event import MASK, secret
from ..records.test_destination import TestDestinationRow


@frozen(kw_only=True)
class TestDestinationView:
    """A test destination, as spelled when it was set last; `code` is always `***`."""

    id: str
    account_id: str
    destination: str = field(repr=False)
    code: str = secret(default=MASK)
    until: datetime
    created_at: datetime
    updated_at: datetime
    removed_at: datetime | None

    @classmethod
    def of(cls, row: TestDestinationRow) -> TestDestinationView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            account_id=row.account_id,
            destination=row.destination,
            until=row.until,
            created_at=row.created_at,
            updated_at=row.updated_at,
            removed_at=row.removed_at,
        )
