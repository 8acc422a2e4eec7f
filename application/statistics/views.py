"""The statistics as callers see them (C-80)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ...domain.errors import camel


class By(StrEnum):
    """The times that figures are told for; days are in UTC."""

    HOUR = "hour"
    DAY = "day"


class Group(StrEnum):
    """What figures are told apart by. The first two are of whole sends, the others of their channels."""

    COUNTRY = "country"
    TEMPLATE = "template"
    CHANNEL = "channel"
    PROVIDER = "provider"
    # The name of the member of a row, as rows of answers have it.
    CHANNEL_ACCOUNT = camel("channel_account")


@frozen
class SecondsToVerify:
    """The seconds from the last send to the verification, within which a half and 95 % of them came."""

    p50: int | None
    p95: int | None


@frozen
class CostView:
    """An amount in one currency; `estimated` if a price list says so and no provider."""

    amount: str
    currency: str
    estimated: bool


@frozen(kw_only=True)
class FiguresView:
    """
    The figures of the sends of an hour or a day, of one member of the group if there is a group.

    `of` is None for what has no such member: the country of an e-mail address, the channel account of a
    send without a recorded outcome, and refusals, of which only the country may be known.
    """

    at: datetime
    of: str | None
    sent: int
    accepted: int
    delivered: int
    verified: int
    expired: int
    blocked: int
    refused: int
    test: int
    seconds_to_verify: SecondsToVerify
    cost: tuple[CostView, ...]


@frozen
class StatisticsView:
    """The figures that the log says up to `position`, and what they are grouped by."""

    data: tuple[FiguresView, ...]
    position: int
    group: Group | None = None
