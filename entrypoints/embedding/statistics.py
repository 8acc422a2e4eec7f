"""The statistics for embedders."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve

from ...application.caller import EMBEDDED, Caller
from ...application.statistics.views import StatisticsView
from ..wire.searches import statistics_question
from .leasing import Facade
from .references import Reference, account_filter, documented


class Statistics(Facade):
    """Counts of the outcomes of codes: call it, as in `await service.stats(by="day")` (C-80)."""

    async def __call__(
        self,
        *,
        account: Reference | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        by: str = "hour",
        group: str | None = None,
    ) -> StatisticsView:
        """
        Return the figures of the hours, or days, that begin in a range, the oldest first.

        `group` is `country`, `template`, `channel`, `provider` or `channelAccount`. Raises
        `AccountNotFoundError` and `ValidationFailedError`.
        """
        account_id = await account_filter(self._parts, account)
        given = documented(since=since, until=until, by=by, group=group)
        question = evolve(statistics_question(given), account_id=account_id)
        return await self._parts.statistics.ask(question)

    async def rebuild(self) -> None:
        """
        Let the worker count the whole log again.

        Until it is done, answers have the position that it has reached.
        """
        by = Caller("", EMBEDDED, self._parts.randomness.new_id("req"))
        await self._parts.rebuilding.statistics.rebuild(by)
