"""Outcomes have the price of a segment by the list of the channel account that sent (C-103, D-408)."""

from __future__ import annotations

import pytest

from tests.application.provider_calls.lines import Lines, Script, lines
from watchword.application.channel_accounts.patch import ChannelAccountPatch
from watchword.application.ports.channels import Accepted, Fault, Rejected, Unknown
from watchword.domain.accounts.channel_account import PrefixPrice, PriceList
from watchword.domain.price import Price

PENNY = PrefixPrice(prefix="44", amount="0.01", currency="GBP")
TUPPENCE = PrefixPrice(prefix="+447", amount="0.02", currency="GBP")
OTHERS = PrefixPrice(prefix="", amount="0.5", currency="EUR")
AWAY = Rejected("away", "No.", Fault.AWAY)


async def priced(made: Lines, name: str, *prices: PrefixPrice) -> None:
    """Set the prices of an account."""
    patch = ChannelAccountPatch(given=("prices",), prices=prices)
    revising = made.house.service.revising_channel_accounts
    await revising.update(made.house.by, made.ids[name], patch)


@pytest.mark.parametrize(
    ("destination", "price"),
    [
        ("+44 7700 900123", TUPPENCE.price),
        ("0044 20 7946 0000", PENNY.price),
        ("+919812345610", OTHERS.price),
        ("447asha@example.com", OTHERS.price),
    ],
)
def test_the_longest_prefix_counts(destination: str, price: Price) -> None:
    """Spellings of one number cost the same, and an address has no prefix."""
    assert price == PriceList([OTHERS, PENNY, TUPPENCE]).price_of(destination)


def test_a_number_without_a_prefix_has_no_price() -> None:
    """Nothing is guessed."""
    assert PriceList([PENNY]).price_of("+919812345610") is None


async def test_an_accepted_send_has_the_price_of_the_account_that_took_it() -> None:
    """After a failover, that is the other account's; an account without prices has none."""
    made = await lines(failover=("b",), scripts={"a": [AWAY]})
    await priced(made, "a", TUPPENCE)
    await priced(made, "b", PENNY)
    taken_by_b, taken_by_a = await made.send(), await made.send()

    assert PENNY.price == taken_by_b.rate
    assert TUPPENCE.price == taken_by_a.rate
    assert (await made.send("c")).rate is None


async def test_only_what_may_cost_is_rated() -> None:
    """A refused send costs nothing; where the provider tells the price, the list is not asked."""
    told = Price("0.03", "GBP")
    said: list[Script] = [Rejected("no", "No."), Unknown(), Accepted("one", price=told)]
    made = await lines(scripts={"a": [*said]})
    await priced(made, "a", TUPPENCE)
    refused, unknown, accepted = [await made.send() for _ in said]

    assert refused.rate is None
    assert TUPPENCE.price == unknown.rate
    assert (told, None) == (accepted.price, accepted.rate)


async def test_an_estimate_outlives_the_price_list() -> None:
    """A list that changes later changes no send before; the next one has the new price."""
    made = await lines()
    await priced(made, "a", TUPPENCE)
    before = await made.send()
    await priced(made, "a", PENNY)

    assert (TUPPENCE.price, PENNY.price) == (before.rate, (await made.send()).rate)
