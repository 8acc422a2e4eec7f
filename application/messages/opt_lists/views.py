"""The view of a number on an opt list."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from ...records.consent import ConsentRow


@frozen(kw_only=True)
class ConsentView:
    """A number on an opt list, spelled as in the latest request that put it on a list."""

    id: str
    account_id: str
    channel: str
    recipient: str = field(repr=False)
    opt_list: str | None
    since: datetime

    @classmethod
    def of(cls, row: ConsentRow) -> ConsentView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            account_id=row.account_id,
            channel=row.channel,
            recipient=row.recipient,
            opt_list=row.opt_list,
            since=row.since,
        )
