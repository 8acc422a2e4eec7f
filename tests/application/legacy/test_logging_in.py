"""Logins: five wrong ones for an e-mail in 15 minutes, and none more until they age (C-42, C-62)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from attrs import evolve, frozen

from tests.application.house import KEYRING, House, build_house
from tests.fakes.hashers import FakePasswordHasher
from tests.fakes.stores import TroubledStore
from watchword.adapters.fingerprinting import HmacFingerprinter
from watchword.adapters.keyring import Keyring
from watchword.application.journal import Journal
from watchword.application.legacy.logging_in import BadLoginError, LoggingIn
from watchword.application.legacy.tokens import GivenToken, TokenInvalidError, Tokens
from watchword.application.paging import Paging
from watchword.application.ports.event_store import Append
from watchword.domain.conditions import Condition, WithinRate

ASHA, NOBODY = "asha@tea.example", "nobody@tea.example"
ROTATING = Keyring(2, {2: b"n" * 32, **KEYRING.keys})
MINUTES = 60
PAGE = Paging.clamped(1, 25)


@frozen
class Door:
    """A node that people log in at, and what its hasher was asked."""

    house: House
    hasher: FakePasswordHasher
    logins: LoggingIn

    async def log_in(self, password: str = "tea", email: str = ASHA) -> GivenToken:
        """Log in."""
        return await self.logins.log_in(email, password, "req_1")

    async def refuses(self, password: str = "tea", email: str = ASHA) -> None:
        """Log in, in vain."""
        with pytest.raises(BadLoginError):
            await self.log_in(password, email)


def node(house: House, keyring: Keyring = KEYRING) -> Door:
    """Give another node on the same store."""
    hasher, journal = FakePasswordHasher(), Journal(house.store)
    tokens = Tokens(journal, house.service.randomness, house.clock)
    logins = LoggingIn(journal, hasher, HmacFingerprinter(keyring), tokens, house.clock)
    return Door(house, hasher, logins)


@pytest.fixture
async def door() -> Door:
    """Give a node where somebody can log in."""
    house = await build_house()
    await house.service.legacy_users.create(house.by, email=ASHA, password="tea")
    return node(house)


async def test_the_email_may_be_spelled_otherwise(door: Door) -> None:
    """Blanks around it and capitals make no other user."""
    given = await door.log_in(email=f" {ASHA.upper()} ")
    by = await door.house.service.legacy_tokens.caller(given.token, "req_2")

    assert door.house.by.account_id == by.account_id
    assert by.actor.startswith("lgu_")


@pytest.mark.parametrize("email", [ASHA, NOBODY])
async def test_the_sixth_wrong_login_makes_no_hash(door: Door, email: str) -> None:
    """Five wrong ones cost a hash each, whether somebody has the e-mail or not; more cost none."""
    for _ in range(50):
        await door.refuses("coffee", email)

    assert 5 == len(door.hasher.asked)


async def test_after_five_wrong_ones_the_right_password_waits_until_they_age(door: Door) -> None:
    """The window slides: a login is free again 15 minutes after the first of the five."""
    for _ in range(5):
        await door.refuses("coffee")
        door.house.clock.move(MINUTES)
    await door.refuses()
    door.house.clock.move(10 * MINUTES - 0.001)
    await door.refuses()
    door.house.clock.move(0.001)

    assert (await door.log_in()).token


async def test_right_ones_and_refused_ones_do_not_count(door: Door) -> None:
    """Only what was compared and found wrong does."""
    for _ in range(4):
        await door.refuses("coffee")
    for _ in range(10):
        await door.log_in()
    await door.refuses("coffee")
    for _ in range(10):
        await door.refuses()
    door.house.clock.move(15 * MINUTES)

    assert (await door.log_in()).token


async def test_the_wrong_ones_of_all_nodes_count_together(door: Door) -> None:
    """And those of another e-mail do not."""
    nodes = [node(door.house) for _ in range(3)]
    for number in range(5):
        await nodes[number % 3].refuses("coffee", ASHA if number % 2 else ASHA.upper())
    for each in nodes:
        await each.refuses()

    await door.refuses("coffee", NOBODY)


async def test_the_wrong_ones_count_together_while_the_code_key_is_rotated(door: Door) -> None:
    """A node with the old key alone, and one with the new one too, see each other's (D-108)."""
    rotating = node(door.house, ROTATING)
    for each in (door, rotating, door, rotating, rotating, door, rotating):
        await each.refuses("coffee")

    assert (2, 3) == (len(door.hasher.asked), len(rotating.hasher.asked))


async def test_the_store_gives_no_email_away_by_trying_all(door: Door) -> None:
    """What wrong logins are counted under needs the code key, which is not in the store (D-108)."""
    asked: list[Condition] = []

    class Stolen(TroubledStore):
        async def append(self, append: Append) -> Sequence[int]:
            asked.extend(append.conditions)
            return await super().append(append)

    watched = evolve(door.house, store=Stolen(door.house.store))
    for keyring in (KEYRING, Keyring(1, {1: b"o" * 32})):
        await node(watched, keyring).refuses("coffee", NOBODY)
    one, other = {each.subject for each in asked if isinstance(each, WithinRate)}

    assert one != other
    assert NOBODY not in f"{one}{other}"


async def test_of_many_at_once_five_count(door: Door) -> None:
    """A right password that is compared when five wrong ones are on record is refused as well."""
    nodes = [door, node(door.house), node(door.house)]
    await asyncio.gather(*(nodes[n % 3].refuses(f"guess {n}") for n in range(99)))
    await door.refuses()
    hashes = sum(len(each.hasher.asked) for each in nodes)
    assert 5 <= hashes <= 5 + len(nodes)
    door.house.clock.move(15 * MINUTES)

    assert (await door.log_in()).token


async def test_aged_wrong_logins_are_forgotten(door: Door) -> None:
    """By the worker, and not before they are free again."""
    for _ in range(5):
        await door.refuses("coffee")
    assert 0 == await door.house.forget()
    await door.refuses()
    door.house.clock.move(31 * MINUTES)

    assert 5 == await door.house.forget()


async def test_a_right_one_loses_against_five_that_were_recorded_meanwhile(door: Door) -> None:
    """Between its look and its token, others were faster (D-98)."""
    other = node(door.house)

    async def five_wrong_ones() -> None:
        for _ in range(5):
            await other.refuses("coffee")

    await slow_login(door, five_wrong_ones)


async def slow_login(door: Door, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """Log in with the right password, while something happens during its hash."""

    class SlowHasher(FakePasswordHasher):
        async def matches(self, password: str, password_hash: str | None) -> bool:
            await meanwhile()
            return await super().matches(password, password_hash)

    house = door.house
    journal = Journal(house.store)
    tokens = Tokens(journal, house.service.randomness, house.clock)
    logins = LoggingIn(journal, SlowHasher(), HmacFingerprinter(KEYRING), tokens, house.clock)
    with pytest.raises(BadLoginError):
        await logins.log_in(ASHA, "tea", "req_1")


async def test_a_token_given_while_the_user_is_removed_opens_nothing(door: Door) -> None:
    """It belongs to the generation that its login had seen."""
    house = door.house
    (user,) = (await house.service.legacy_users.list(None, PAGE)).data
    given = await door.log_in()
    await house.service.legacy_users.remove(house.by, user.id)

    with pytest.raises(TokenInvalidError):
        await house.service.legacy_tokens.caller(given.token, "req_1")
    await door.refuses()
