"""The rows of the statistics: their keys, and what they say."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from ...domain.statistics import PARTS_OF_ONE, Cost, Part, Place
from ..ports.event_store import Outline
from ..records.statistics import (
    BUCKETS,
    COUNTS,
    StatisticsCostRow,
    StatisticsRefusalsRow,
    StatisticsRow,
    StatisticsUnfinishedRow,
)
from .outlines import microseconds, time_of

TOLD, ESTIMATED = "told", "estimated"
_HOUR = 3_600_000_000
_COLUMNS = (*COUNTS, *BUCKETS)


class Refused(NamedTuple):
    """Where refusals belong: an account, the hour of the first, the rule, and a country if all have one."""

    account_id: str
    hour: int
    rule: str
    country: str | None


def statistics_key(place: Place) -> str:
    """Return the key of a row of counts; a channel's name may contain anything, and is last."""
    account_id, hour, part, template_id, country, channel, _, channel_account_id = place
    if part is Part.SEND:
        return f"{account_id}|{hour}|s|{template_id}|{country or ''}"
    return f"{account_id}|{hour}|c|{channel_account_id or ''}|{channel}"


def counts_in(row: StatisticsRow | None) -> dict[str, int]:
    """Return the counts of a row by their columns."""
    return {each: 0 if row is None else getattr(row, each) for each in _COLUMNS}


def statistics_row(key: str, era: datetime, place: Place, counts: dict[str, int]) -> StatisticsRow:
    """Return a row of counts."""
    facts: dict[str, Any] = {**_of(place), **counts}
    return StatisticsRow(key=key, era=era, **facts)


def cost_key(of: tuple[Place, Cost]) -> str:
    """Return the key of a row of costs."""
    place, cost = of
    return f"{cost.currency}|{_basis(cost)}|{statistics_key(place)}"


def parts_in(row: StatisticsCostRow | None) -> list[int]:
    """Return the amount of a row, as the one item of a list."""
    return [0 if row is None else row.whole * PARTS_OF_ONE + row.fraction]


def cost_row(
    key: str, era: datetime, of: tuple[Place, Cost], parts: list[int]
) -> StatisticsCostRow:
    """Return a row of costs."""
    place, cost = of
    whole, fraction = divmod(parts[0], PARTS_OF_ONE)
    return StatisticsCostRow(
        key=key,
        era=era,
        **_of(place),
        currency=cost.currency,
        basis=_basis(cost),
        whole=whole,
        fraction=fraction,
    )


def unfinished_key(of: tuple[Place, int]) -> str:
    """Return the key of a row of unfinished sends."""
    place, second = of
    return f"{second}|{statistics_key(place)}"


def offsets_in(row: StatisticsUnfinishedRow | None) -> list[int]:
    """Return the offsets of a row."""
    return [] if row is None else [*row.offsets]


def unfinished_row(
    key: str, era: datetime, of: tuple[Place, int], offsets: list[int]
) -> StatisticsUnfinishedRow:
    """Return a row of unfinished sends."""
    place, second = of
    return StatisticsUnfinishedRow(
        key=key,
        era=era,
        **_of(place),
        expires_at=time_of(second),
        number=len(offsets),
        offsets=tuple(offsets),
    )


def refused_of(outline: Outline) -> Refused:
    """Return where the refusals in an event belong."""
    data = outline.data
    hour = microseconds(data["since"]) // _HOUR
    return Refused(data["account_id"], hour, data["rule"], data.get("country"))


def refused_key(of: Refused) -> str:
    """Return the key of a row of refusals."""
    return f"{of.account_id}|{of.hour}|{of.rule}|{of.country or ''}"


def refusals_in(row: StatisticsRefusalsRow | None) -> list[int]:
    """Return the number of refusals of a row, as the one item of a list."""
    return [0 if row is None else row.refused]


def refused_row(key: str, era: datetime, of: Refused, refused: list[int]) -> StatisticsRefusalsRow:
    """Return a row of refusals."""
    return StatisticsRefusalsRow(
        key=key,
        era=era,
        account_id=of.account_id,
        at=hour_at(of.hour),
        rule=of.rule,
        country=of.country,
        refused=refused[0],
    )


def hour_at(hour: int) -> datetime:
    """Return the beginning of an hour, which is numbered from 1970 on."""
    return time_of(3_600 * hour)


def _basis(cost: Cost) -> str:
    return ESTIMATED if cost.estimated else TOLD


def _of(place: Place) -> dict[str, Any]:
    return {
        "account_id": place.account_id,
        "at": hour_at(place.hour),
        "part": str(place.part),
        "template_id": place.template_id,
        "country": place.country,
        "channel": place.channel,
        "provider": place.provider,
        "channel_account_id": place.channel_account_id,
    }
