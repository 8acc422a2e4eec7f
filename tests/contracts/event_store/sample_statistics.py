"""A row of each table of the statistics, and the same row with all changes."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from tests.contracts.event_store.histories import NOON, second
from watchword.application.records.read_model import Row
from watchword.application.records.statistics import (
    STATISTICS,
    StatisticsCostRow,
    StatisticsRefusalsRow,
    StatisticsRow,
    StatisticsUnfinishedRow,
)

_PLACE: dict[str, Any] = {
    "era": NOON,
    "account_id": "account-tea",
    "at": NOON,
    "part": "send",
    "template_id": "template-tea",
    "country": None,
    "channel": None,
    "provider": None,
    "channel_account_id": None,
}
_COUNTS: dict[str, Any] = {name: place for place, name in enumerate(STATISTICS.changing)}

COUNTS = StatisticsRow(key="counts-tea", **_PLACE, **_COUNTS)
COST = StatisticsCostRow(
    key="cost-tea", **_PLACE, currency="EUR", basis="told", whole=2**40, fraction=1
)
UNFINISHED = StatisticsUnfinishedRow(
    key="unfinished-tea", **_PLACE, expires_at=second(0), number=2, offsets=(1, 999_999)
)
REFUSALS = StatisticsRefusalsRow(
    key="refusals-tea",
    era=NOON,
    account_id="account-tea",
    at=NOON,
    rule="unverified.prefix",
    country="GB",
    refused=1,
)
STATISTICS_ROWS: tuple[Row, ...] = (COUNTS, COST, UNFINISHED, REFUSALS)
CHANGED_STATISTICS: tuple[Row, ...] = (
    evolve(COUNTS, **{name: number + 2**40 for name, number in _COUNTS.items()}),
    evolve(COST, whole=0, fraction=10**12 - 1),
    evolve(UNFINISHED, number=0, offsets=()),
    evolve(REFUSALS, refused=2**40),
)
