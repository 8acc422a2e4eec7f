"""The statistics as answers have them (C-80, C-103)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NotRequired, TypedDict

from ...application.statistics.views import (
    CostView,
    FiguresView,
    Group,
    SecondsToVerify,
    StatisticsView,
)
from .codec import unstructure


class Figures(TypedDict):
    """The figures of an hour or a day, with a member that has the name of the group."""

    at: datetime
    country: NotRequired[str | None]
    template: NotRequired[str | None]
    channel: NotRequired[str | None]
    provider: NotRequired[str | None]
    channelAccount: NotRequired[str | None]
    sent: int
    accepted: int
    delivered: int
    verified: int
    expired: int
    blocked: int
    refused: int
    test: int
    secondsToVerify: SecondsToVerify
    cost: NotRequired[list[CostView]]


class StatisticsAnswer(TypedDict):
    """The figures, and the position of the log up to which they count it."""

    data: list[Figures]
    position: int


def statistics_record(answer: StatisticsView) -> dict[str, Any]:
    """Return an answer of the statistics."""
    data = [_figures(each, answer.group) for each in answer.data]
    return {"data": data, "position": answer.position}


def _figures(figures: FiguresView, group: Group | None) -> dict[str, Any]:
    shown: dict[str, Any] = unstructure(figures)
    at, member, cost = shown.pop("at"), shown.pop("of"), shown.pop("cost")
    named = {} if group is None else {str(group): member}
    return {"at": at, **named, **shown, **({"cost": cost} if cost else {})}
