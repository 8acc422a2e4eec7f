"""The views of operators' tokens."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ..records.operator_token import OperatorTokenRow


@frozen(kw_only=True)
class OperatorTokenView:
    """An operator's token, without the token and its hash; without `account_id` it is for all accounts."""

    id: str
    name: str
    role: str
    account_id: str | None
    clear: bool
    prefix: str
    expires_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None

    @classmethod
    def of(cls, row: OperatorTokenRow) -> OperatorTokenView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            name=row.name,
            role=row.role,
            account_id=row.account_id,
            clear=row.clear,
            prefix=row.prefix,
            expires_at=row.expires_at,
            created_at=row.created_at,
            last_used_at=row.last_used_at,
            revoked_at=row.revoked_at,
        )
