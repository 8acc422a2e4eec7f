"""List what the guard refuses now (C-78, D-396)."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from ...domain.guard import Rule, Verdict
from ..journal import Journal
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.listings import AtLeast, Equals, Query, of_account
from ..records.refused_sends import LISTED_FOR, RefusedSendsRow
from ..searches import COUNTED_TO, narrows


@frozen(kw_only=True)
class RefusedSearch:
    """The filters of the list, in one account or in all."""

    account_id: str | None = narrows("Those of one account, by its id or name.")
    rule: Rule | None = narrows("Those of this rule.")
    verdict: Verdict | None = narrows(
        "`refused`, unless `flagged` asks for what a rule on the record would have refused."
    )


@frozen(kw_only=True)
class RefusedSends:
    """
    What one process refused of one subject under one rule in one minute; `count` is a lower bound.

    `limit` is the one that was reached, if the rule has one.
    """

    account_id: str
    rule: str
    subject: str = field(repr=False)
    limit: str | None
    since: datetime
    until: datetime
    count: int


class ListingRefusedSends:
    """Lists the subjects that a rule refused within its window, and within a day, the newest first."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def list(self, search: RefusedSearch, paging: Paging) -> Listed[RefusedSends]:
        """Return one page; its total is never above `COUNTED_TO`."""
        now = self._clock.now()
        where = [
            *of_account(search.account_id),
            Equals("verdict", str(search.verdict or Verdict.REFUSED)),
            AtLeast("since", now - LISTED_FOR),
            AtLeast("listed_until", now),
        ]
        if search.rule is not None:
            where.append(Equals("rule", str(search.rule)))
        query = Query(
            rows=RefusedSendsRow, where=tuple(where), order_by="since", counted_to=COUNTED_TO
        )
        return (await self._journal.listed(query, paging)).showing(_view)


def _view(row: RefusedSendsRow) -> RefusedSends:
    return RefusedSends(
        account_id=row.account_id,
        rule=row.rule,
        subject=row.subject,
        limit=row.limit_reached,
        since=row.since,
        until=row.until,
        count=row.count,
    )
