"""The record of a counted decision of the guard, and the list of what is refused now (C-78)."""

from __future__ import annotations

from datetime import datetime, timedelta

from ...domain.event import personal
from ...domain.guard.counted_decision import CountedDecision, counted_decision_decider
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record

# A decision is listed for the window of its limit, and for a day at most (D-396).
LISTED_FOR = timedelta(days=1)


@value(kw_only=True)
class RefusedSendsRow(Row):
    """
    What one process refused, or flagged, of one subject under one rule in one minute.

    It is listed before `listed_until`. `limit_reached` is None for a rule without a limit.
    """

    id: str
    account_id: str
    person_id: str | None
    verdict: str
    rule: str
    subject: str = personal()
    limit_reached: str | None
    since: datetime
    until: datetime
    count: int
    listed_until: datetime


def _row(stream: str, counted: CountedDecision) -> RefusedSendsRow:
    window = LISTED_FOR if counted.limit is None else min(counted.limit.window, LISTED_FOR)
    return RefusedSendsRow(
        id=stream,
        account_id=counted.account_id,
        person_id=counted.person_id,
        verdict=str(counted.verdict),
        rule=str(counted.rule),
        subject=counted.subject,
        limit_reached=None if counted.limit is None else counted.limit.text,
        since=counted.since,
        until=counted.until,
        count=counted.count,
        listed_until=counted.until + window,
    )


COUNTED_DECISION = Record(
    decider=counted_decision_decider,
    prefix="dcs",
    state=CountedDecision,
    read_model=ReadModel(
        row=RefusedSendsRow,
        name="refused_sends",
        found_by=(
            FoundBy("refused_sends_by_person", ("person_id", "since", "id"), "person_id"),
            FoundBy("refused_sends_by_rule", ("account_id", "verdict", "rule", "since", "id")),
            FoundBy("refused_sends_by_account", ("account_id", "verdict", "since", "id")),
            FoundBy("refused_sends_by_time", ("verdict", "since", "id")),
        ),
    ),
    project=_row,
)
