"""
The rows of the statistics, which the follower `statistics` of the log writes (C-80, D-405).

No aggregate has them: a rebuild begins a new `era`, in which the log is followed again from its start.
Only rows of the current era count; the others are dropped. No row is about a person.
"""

from __future__ import annotations

from datetime import datetime

from ...domain.statistics import BOUNDS
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row


@value(kw_only=True)
class _SendsRow(Row):
    """The sends of the hour from `at`, as whole sends (`part` is `send`) or on one channel (`channel`)."""

    key: str
    era: datetime
    account_id: str
    at: datetime
    part: str
    template_id: str | None
    country: str | None
    channel: str | None
    provider: str | None
    channel_account_id: str | None


@value(kw_only=True)
class StatisticsRow(_SendsRow):
    """
    The number of sends, and what became of them.

    `unfinished` are the sends whose PIN has not ended; it is expired as soon as its time is over.
    `within_<n>` are the verifications that took at most n seconds, and more than the bound before;
    `longer` are the others.
    """

    sent: int
    accepted: int
    delivered: int
    verified: int
    blocked: int
    unfinished: int
    test: int
    segments: int
    within_1: int
    within_2: int
    within_3: int
    within_5: int
    within_7: int
    within_10: int
    within_15: int
    within_20: int
    within_30: int
    within_45: int
    within_60: int
    within_90: int
    within_120: int
    within_180: int
    within_300: int
    within_600: int
    within_1800: int
    within_3600: int
    within_21600: int
    within_86400: int
    longer: int


@value(kw_only=True)
class StatisticsCostRow(_SendsRow):
    """
    The cost of the sends of a row of `StatisticsRow`, in one currency.

    The amount is `whole` and `fraction` parts of a million millions: databases have no exact decimals in
    common. `basis` is `told`, or `estimated` by a price list.
    """

    currency: str
    basis: str
    whole: int
    fraction: int


@value(kw_only=True)
class StatisticsUnfinishedRow(_SendsRow):
    """
    The unfinished sends of a row of `StatisticsRow` that expire in one second, which is `expires_at`.

    `offsets` are the microseconds of that second at which they expire. A row is dropped an hour after its
    second.
    """

    expires_at: datetime
    number: int
    offsets: tuple[int, ...]


@value(kw_only=True)
class StatisticsRefusalsRow(Row):
    """The sends of an hour that a rule of the guard refused; a lower bound, because a crash loses counts."""

    key: str
    era: datetime
    account_id: str
    at: datetime
    rule: str
    country: str | None
    refused: int


COUNTS = ("sent", "accepted", "delivered", "verified", "blocked", "unfinished", "test", "segments")
# The columns of the verifications by their time; the last has those above all bounds.
BUCKETS = (*(f"within_{each}" for each in BOUNDS), "longer")

STATISTICS = ReadModel(
    row=StatisticsRow,
    name="statistics",
    found_by=(
        FoundBy("statistics_by_account", ("account_id", "part", "at")),
        FoundBy("statistics_by_time", ("part", "at")),
    ),
    changing=(
        *COUNTS,
        *BUCKETS,
    ),
)
STATISTICS_COSTS = ReadModel(
    row=StatisticsCostRow,
    name="statistics_costs",
    found_by=(
        FoundBy("statistics_costs_by_account", ("account_id", "part", "at")),
        FoundBy("statistics_costs_by_time", ("part", "at")),
    ),
    changing=("whole", "fraction"),
)
STATISTICS_UNFINISHED = ReadModel(
    row=StatisticsUnfinishedRow,
    name="statistics_unfinished",
    # Only those that have not expired are asked for, which are few, and old ones are dropped.
    found_by=(FoundBy("statistics_unfinished_by_expiry", ("expires_at",)),),
    changing=("number", "offsets"),
)
STATISTICS_REFUSALS = ReadModel(
    row=StatisticsRefusalsRow,
    name="statistics_refusals",
    found_by=(
        FoundBy("statistics_refusals_by_account", ("account_id", "at")),
        FoundBy("statistics_refusals_by_time", ("at",)),
    ),
    changing=("refused",),
)
