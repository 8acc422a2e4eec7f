"""
Count the sends of a PIN: as a whole, and on each of their channels.

A send on several channels counts once as a whole, and once on each channel. So totals are never sums
over channels. What became of a PIN belongs to its last send, and to each channel that accepted that
send (C-80, C-103).
"""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from typing import NamedTuple

from ..price import Price
from .facts import End, OnChannel, PinFacts, Send
from .times_to_verify import bucket_of

_HOUR = 3_600_000_000
_SECOND = 1_000_000
# A price has at most twelve decimals, so amounts are whole numbers of this part.
PARTS_OF_ONE = 10**12
_VERIFIED, _BLOCKED = End.VERIFIED, End.BLOCKED


class Part(StrEnum):
    """What a figure counts: whole sends, or sends on one channel."""

    SEND = "send"
    CHANNEL = "channel"


_SEND, _CHANNEL = Part


class Place(NamedTuple):
    """
    Where figures belong: an account, the hour of the send, and what a group is made by.

    `hour` counts the hours since 1970. Whole sends have a template and a country, sends on a channel
    have the other three. The country is None for an e-mail address.
    """

    account_id: str
    hour: int
    part: Part
    template_id: str | None = None
    country: str | None = None
    channel: str | None = None
    provider: str | None = None
    channel_account_id: str | None = None


class Cost(NamedTuple):
    """A kind of money: a currency, and whether the amount is estimated by a price list."""

    currency: str
    estimated: bool


class Figures:
    """
    Changes of figures.

    `counts` are by the figure's name, `buckets` those of verifications by the bucket of their time, and
    `costs` amounts in parts of one. `unfinished` are the sends whose PIN has not ended, by the second of
    their expiry; each is a microsecond in that second.
    """

    def __init__(self) -> None:
        self.counts: defaultdict[Place, defaultdict[str, int]] = defaultdict(_counts)
        self.buckets: defaultdict[Place, defaultdict[int, int]] = defaultdict(_buckets)
        self.costs: defaultdict[tuple[Place, Cost], int] = defaultdict(int)
        self.unfinished: defaultdict[tuple[Place, int], defaultdict[int, int]] = defaultdict(
            _buckets
        )


def count(figures: Figures, before: PinFacts | None, after: PinFacts) -> None:
    """Add the change of the figures that follows from a PIN's facts before and after some events."""
    _add(figures, after, 1, before)
    if before is not None:
        _add(figures, before, -1, after)


def _add(figures: Figures, pin: PinFacts, by: int, other: PinFacts | None) -> None:
    last = len(pin.sends) - 1
    others = () if other is None else other.sends
    for number, send in enumerate(pin.sends):
        # An earlier send that did not change counts the same before and after.
        if number < last and number < len(others) - 1 and others[number] is send:
            continue
        _add_send(figures, pin, send, by, is_last=number == last)


def _add_send(figures: Figures, pin: PinFacts, send: Send, by: int, *, is_last: bool) -> None:
    hour = send.at // _HOUR
    whole = Place(pin.account_id, hour, _SEND, pin.template_id, pin.country)
    accepted = delivered = False
    for each in send.channels:
        place = Place(
            pin.account_id,
            hour,
            _CHANNEL,
            None,
            None,
            each.channel,
            each.provider,
            each.channel_account_id,
        )
        counts = figures.counts[place]
        if pin.test:
            counts["test"] += by
            continue
        counts["sent"] += by
        if each.delivered:
            delivered = True
            counts["delivered"] += by
        if each.segments is not None:
            counts["segments"] += by * each.segments
            figures.counts[whole]["segments"] += by * each.segments
        if each.accepted:
            accepted = True
            counts["accepted"] += by
            if is_last:
                _add_end(figures, place, pin, send, by)
        _add_cost(figures, whole, place, each, by)
    counts = figures.counts[whole]
    if pin.test:
        counts["test"] += by
        return
    counts["sent"] += by
    if accepted:
        counts["accepted"] += by
    if delivered:
        counts["delivered"] += by
    if is_last:
        _add_end(figures, whole, pin, send, by)


def _add_end(figures: Figures, place: Place, pin: PinFacts, send: Send, by: int) -> None:
    if pin.end is None:
        # It counts as expired from its expiry on, whenever that is asked.
        figures.counts[place]["unfinished"] += by
        second, offset = divmod(send.expires_at, _SECOND)
        figures.unfinished[place, second][offset] += by
    elif pin.end is _VERIFIED:
        figures.counts[place]["verified"] += by
        figures.buckets[place][bucket_of(pin.ended_at - send.at)] += by
    elif pin.end is _BLOCKED:
        figures.counts[place]["blocked"] += by


def _add_cost(figures: Figures, whole: Place, place: Place, on_channel: OnChannel, by: int) -> None:
    """Add what the provider told, else the price by the list, for each segment; one if none is told."""
    if on_channel.price is not None:
        price, segments, estimated = on_channel.price, 1, False
    elif on_channel.rate is not None and on_channel.accepted:
        price, segments, estimated = on_channel.rate, on_channel.segments or 1, True
    else:
        return
    amount = by * segments * parts_of(price)
    cost = Cost(price.currency, estimated)
    figures.costs[place, cost] += amount
    figures.costs[whole, cost] += amount


def parts_of(price: Price) -> int:
    """Return the amount of a price as a whole number of parts of one."""
    whole, _, fraction = price.amount.partition(".")
    return int(whole) * PARTS_OF_ONE + int(fraction.ljust(12, "0") or 0)


def amount_of(parts: int) -> str:
    """Return an amount as decimal digits, without zeros at the end."""
    whole, fraction = divmod(parts, PARTS_OF_ONE)
    return f"{whole}.{fraction:012}".rstrip("0").rstrip(".")


def _counts() -> defaultdict[str, int]:
    return defaultdict(int)


def _buckets() -> defaultdict[int, int]:
    return defaultdict(int)
