"""Choosing the channel account of a sender, and how long the choice is remembered (C-49)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tests.application.house import House, build_house
from tests.fakes.stores import R, TroubledStore
from watchword.application.caller import Caller
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.messages.planning.choosing_channel_accounts import (
    ChoosingChannelAccounts,
)
from watchword.application.ports.listings import Query
from watchword.domain.channel import Channel


class SlowStore(TroubledStore):
    """A store that returns its pages when it is allowed to, and counts the calls."""

    def __init__(self, house: House) -> None:
        super().__init__(house.store)
        self.asked = 0
        self.may_answer = asyncio.Event()

    async def slice(self, query: Query[R]) -> Sequence[R]:
        """Return a page, later."""
        self.asked += 1
        await self.may_answer.wait()
        return await super().slice(query)


def choosing_in(house: House) -> ChoosingChannelAccounts:
    """Return what chooses, with nothing remembered."""
    return ChoosingChannelAccounts(Journal(house.store), house.clock)


async def contract(
    house: House, sender: str | None, channel: Channel = Channel.SMS, by: Caller | None = None
) -> str:
    """Make a channel account later than all others, and return its id."""
    house.clock.move(1)
    made = await house.service.channel_accounts.create(
        by or house.by,
        channel_type=channel,
        provider="scripted",
        name="another",
        sender=sender,
        config={},
    )
    return made.id


async def test_the_senders_own_comes_before_the_first_of_the_channel() -> None:
    """The sender's own account is chosen, however new; without one, the first (C-49)."""
    house = await build_house()
    choosing, account = choosing_in(house), house.by.account_id
    first = await choosing.choose(account, Channel.SMS, "KETTLE")
    own = await contract(house, "TEAHSE")

    assert first not in (None, own)
    assert own == await choosing.choose(account, Channel.SMS, "TEAHSE")
    assert first == await choosing.choose(account, Channel.SMS, "LOTUS")


async def test_a_sender_on_another_channel_is_another_one() -> None:
    """Its channel account cannot send this."""
    house = await build_house()
    choosing, account = choosing_in(house), house.by.account_id
    first = await choosing.choose(account, Channel.SMS, "")
    await contract(house, "TEAHSE", Channel.WHATSAPP)

    assert first == await choosing.choose(account, Channel.SMS, "TEAHSE")


async def test_nobody_sends_through_anothers() -> None:
    """Another account's channel account is not found by its sender's name, or in memory (C-7)."""
    house = await build_house()
    choosing = choosing_in(house)
    operator = Caller("", "admin", "req_setup")
    lotus = Caller((await house.service.accounts.create(operator, "lotus")).id, "admin", "req_two")
    theirs = await contract(house, "TEAHSE", by=lotus)
    lotus_has = await choosing.choose(lotus.account_id, Channel.SMS, "TEAHSE")
    orchid_has = await choosing.choose(house.by.account_id, Channel.SMS, "TEAHSE")

    assert theirs == lotus_has
    assert orchid_has not in (None, theirs)


@pytest.mark.parametrize("way", [1, -1])
async def test_an_answer_is_trusted_for_a_second_of_real_time(way: int) -> None:
    """The service's time does not count, and a clock that is set back ends the trust as well."""
    house = await build_house()
    choosing, account = choosing_in(house), house.by.account_id
    first = await choosing.choose(account, Channel.SMS, "TEAHSE")
    own = await contract(house, "TEAHSE")
    house.clock.move(3600)
    house.clock.move_real(way * 0.999)
    assert first == await choosing.choose(account, Channel.SMS, "TEAHSE")

    house.clock.move_real(way * 0.001)

    assert own == await choosing.choose(account, Channel.SMS, "TEAHSE")


async def test_that_there_is_none_is_not_remembered() -> None:
    """A sender without a channel account can send as soon as the operator created one."""
    house = await build_house()
    choosing, account = choosing_in(house), house.by.account_id
    assert await choosing.choose(account, Channel.EMAIL, "tea@house.example") is None

    made = await contract(house, None, Channel.EMAIL)

    assert made == await choosing.choose(account, Channel.EMAIL, "tea@house.example")


async def test_a_failure_is_not_remembered() -> None:
    """All concurrent callers get the failure; the next caller gets an answer."""
    house = await build_house()
    choosing, account = choosing_in(house), house.by.account_id
    house.store.reachable = False
    failed = await asyncio.gather(
        *(choosing.choose(account, Channel.SMS, "TEAHSE") for _ in range(3)),
        return_exceptions=True,
    )
    house.store.reachable = True

    assert [UnavailableError] * 3 == [type(each) for each in failed]
    assert await choosing.choose(account, Channel.SMS, "TEAHSE") is not None


async def test_many_who_ask_at_once_are_one_look_up() -> None:
    """A batch of fallbacks reads the store once; a cancelled caller does not disturb the others."""
    house = await build_house()
    own = await contract(house, "TEAHSE")
    store = SlowStore(house)
    choosing = ChoosingChannelAccounts(Journal(store), house.clock)
    asking = [
        asyncio.create_task(choosing.choose(house.by.account_id, Channel.SMS, "TEAHSE"))
        for _ in range(100)
    ]
    await asyncio.sleep(0)
    asking[0].cancel()
    store.may_answer.set()
    given_up, *answers = await asyncio.gather(*asking, return_exceptions=True)

    assert isinstance(given_up, asyncio.CancelledError)
    assert [own] * 99 == answers
    assert 1 == store.asked


async def test_disabled_accounts_come_last_among_their_like() -> None:
    """One with the sender is passed over for another of the sender, and for no other (D-250)."""
    house = await build_house()
    choosing, account = choosing_in(house), house.by.account_id
    revising = house.service.revising_channel_accounts
    first = await choosing.choose(account, Channel.SMS, "TEAHSE")
    assert first is not None
    own, second = await contract(house, "TEAHSE"), await contract(house, "TEAHSE")
    chosen = []
    for each in (own, second, first):
        await revising.disable(house.by, each)
        choosing.forget()
        chosen.append(await choosing.choose(account, Channel.SMS, "TEAHSE"))
    other = await contract(house, "KETTLE")
    choosing.forget()

    assert [second, own, own] == chosen
    assert other == await choosing.choose(account, Channel.SMS, "LOTUS")
