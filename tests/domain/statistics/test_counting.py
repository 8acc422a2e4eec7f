"""The figures that the facts of a PIN add to (C-80, C-103)."""

from __future__ import annotations

from typing import Any

import pytest

from watchword.domain.channel import OutcomeStatus
from watchword.domain.price import Price
from watchword.domain.statistics import (
    Figures,
    OnChannel,
    Part,
    PinFacts,
    Place,
    amount_of,
    blocked,
    count,
    dispatched,
    issued,
    parts_of,
    resent,
    superseded,
    verified,
)

HOUR = 3_600_000_000
SMS = OnChannel("sms", OutcomeStatus.ACCEPTED, "cha_tulip", "alpha")
WHATSAPP = OnChannel("whatsapp", OutcomeStatus.ACCEPTED, "cha_rose", "beta")
REFUSED = WHATSAPP._replace(status=OutcomeStatus.REJECTED)


def pin(*outcomes: OnChannel, test: bool = False) -> PinFacts:
    """Return a PIN that was sent in hour 1, with these outcomes."""
    facts = issued(
        "acc_1",
        "tpl_1",
        "GB",
        test=test,
        at=HOUR,
        expires_at=HOUR + 600_000_001,
        channels=[each.channel for each in outcomes],
    )
    return dispatched(facts, 1, outcomes, may_arrive=True)


def counted(after: PinFacts, before: PinFacts | None = None) -> dict[str, dict[str, Any]]:
    """Return the figures by channel, those of whole sends under `send`, without zeros."""
    figures = Figures()
    count(figures, before, after)
    return {
        place.channel or "send": {name: number for name, number in counts.items() if number}
        for place, counts in figures.counts.items()
        if any(counts.values())
    }


def test_a_send_on_two_channels_is_one_send() -> None:
    """The whole counts once, and each channel that accepted it is credited with the verification."""
    figures = counted(verified(pin(SMS, WHATSAPP), at=HOUR + 4_000_000))

    once = {"sent": 1, "accepted": 1, "verified": 1}
    assert {"send": once, "sms": once, "whatsapp": once} == figures


def test_a_channel_that_refused_is_not_credited() -> None:
    """It has the send alone."""
    figures = counted(blocked(pin(SMS, REFUSED)))

    assert {"sent": 1} == figures["whatsapp"]
    assert {"sent": 1, "accepted": 1, "blocked": 1} == figures["sms"] == figures["send"]


def test_what_became_of_a_pin_belongs_to_its_last_send() -> None:
    """The first send stays sent and accepted, in its own hour."""
    again = resent(pin(SMS), at=3 * HOUR, expires_at=4 * HOUR, channels=("sms",))
    figures = Figures()
    count(figures, None, verified(dispatched(again, 2, [SMS], may_arrive=True), at=3 * HOUR + 5))

    whole = {
        place.hour: dict(counts)
        for place, counts in figures.counts.items()
        if place.part is Part.SEND
    }
    assert {"sent": 1, "accepted": 1} == whole[1]
    assert {"sent": 1, "accepted": 1, "verified": 1} == whole[3]
    assert {0: 1} == figures.buckets[Place("acc_1", 3, Part.SEND, "tpl_1", "GB")]


def test_a_pin_without_an_end_waits_for_its_expiry() -> None:
    """Its send is unfinished, at the microsecond at which it expires."""
    figures = Figures()
    count(figures, None, pin(SMS))

    second = (HOUR + 600_000_001) // 1_000_000
    place = Place("acc_1", 1, Part.SEND, "tpl_1", "GB")
    assert {"sent": 1, "accepted": 1, "unfinished": 1} == figures.counts[place]
    assert {1: 1} == figures.unfinished[place, second]


def test_a_superseded_pin_is_neither_verified_nor_expired() -> None:
    """It was sent."""
    assert {"sent": 1, "accepted": 1} == counted(superseded(pin(SMS)))["send"]


def test_a_test_pin_counts_as_one_alone() -> None:
    """Nothing was sent, whatever its outcomes and its end are."""
    figures = counted(verified(pin(SMS, test=True), at=HOUR))

    assert {"send": {"test": 1}, "sms": {"test": 1}} == figures


def test_a_change_takes_back_what_counted_before() -> None:
    """A verification moves a send from the unfinished to the verified, and changes nothing else."""
    before = pin(SMS)

    assert {"unfinished": -1, "verified": 1} == counted(verified(before, at=HOUR), before)["send"]


@pytest.mark.parametrize(
    ("told", "cost"),
    [
        ({"price": Price("0.05", "EUR"), "rate": Price("9", "USD")}, {("EUR", False): "0.05"}),
        ({"rate": Price("0.0075", "USD"), "segments": 3}, {("USD", True): "0.0225"}),
        ({"rate": Price("0.0075", "USD")}, {("USD", True): "0.0075"}),
        ({}, {}),
    ],
)
def test_a_price_that_is_told_comes_before_the_list(
    told: dict[str, Any], cost: dict[tuple[str, bool], str]
) -> None:
    """A list's price is for each segment, of which there is one if the provider tells no number."""
    figures = Figures()
    count(figures, None, pin(SMS._replace(**told)))

    assert cost == {
        tuple(of): amount_of(parts)
        for (place, of), parts in figures.costs.items()
        if place.part is Part.SEND
    }


def test_a_refused_send_costs_nothing_by_the_list() -> None:
    """Only a provider may say that it does."""
    figures = Figures()
    count(figures, None, pin(REFUSED._replace(rate=Price("1", "EUR"))))

    assert {} == figures.costs


@pytest.mark.parametrize("amount", ["0", "0.000000000001", "999999999999.999999999999", "12.5"])
def test_amounts_are_exact(amount: str) -> None:
    """The least and the greatest amounts of a price lose nothing."""
    assert amount == amount_of(parts_of(Price(amount, "EUR")))
