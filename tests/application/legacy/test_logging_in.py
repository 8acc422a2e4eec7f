"""Logins: so many wrong ones by client and e-mail in 15 minutes, and none more until they age (C-97)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from attrs import evolve, frozen

from tests.application.house import House, build_house
from tests.fakes.hashers import FakePasswordHasher
from tests.fakes.stores import TroubledStore
from tests.vaults import KEYRING
from watchword.adapters.fingerprinting import HmacFingerprinter
from watchword.adapters.keyring import Keyring
from watchword.application.journal import Journal
from watchword.application.legacy.logging_in import BadLoginError, LoggingIn
from watchword.application.legacy.tokens import NewToken, TokenInvalidError, Tokens
from watchword.application.paging import Paging
from watchword.application.ports.event_store import Append
from watchword.domain.conditions import Condition, WithinRate

ASHA, RAVI, NOBODY = "asha@tea.example", "ravi@tea.example", "nobody@tea.example"
HOME, ELSEWHERE = "192.0.2.1", "192.0.2.2"
ROTATING = Keyring(2, {2: b"n" * 32, **KEYRING.keys})
MINUTES = 60
PAGE = Paging.clamped(1, 25)


@frozen
class Door:
    """A node with a login, and the calls of its hasher."""

    house: House
    hasher: FakePasswordHasher
    logins: LoggingIn

    async def log_in(
        self, password: str = "tea", email: str = ASHA, client: str = HOME
    ) -> NewToken:
        """Log in."""
        return await self.logins.log_in(email, password, "req_1", client=client)

    async def refuses(self, password: str = "tea", email: str = ASHA, client: str = HOME) -> None:
        """Log in, in vain."""
        with pytest.raises(BadLoginError):
            await self.log_in(password, email, client)


def node(house: House, keyring: Keyring = KEYRING) -> Door:
    """Return another node on the same store."""
    hasher, journal = FakePasswordHasher(), Journal(house.store)
    tokens = Tokens(journal, house.service.randomness, house.clock)
    logins = LoggingIn(journal, hasher, HmacFingerprinter(keyring), tokens, house.clock)
    return Door(house, hasher, logins)


@pytest.fixture
async def door() -> Door:
    """Return a node with a login."""
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
    """Five wrong ones cost a hash each, with or without a user of the e-mail; more cost none."""
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


async def test_five_wrong_ones_lock_their_client_out_of_their_email(door: Door) -> None:
    """The user can log in from elsewhere, and other users from the same address."""
    await door.house.service.legacy_users.create(door.house.by, email=RAVI, password="tea")
    for _ in range(20):
        await door.refuses("coffee")
    await door.refuses()

    assert (await door.log_in(client=ELSEWHERE)).token
    assert (await door.log_in(email=RAVI)).token


async def test_fifty_wrong_ones_lock_their_client_out(door: Door) -> None:
    """They count for any e-mails; the right password is refused too, and no more hashes are made."""
    for number in range(60):
        await door.refuses("coffee", f"{number}@tea.example")
    await door.refuses()

    assert 50 == len(door.hasher.asked)
    assert (await door.log_in(client=ELSEWHERE)).token

    door.house.clock.move(15 * MINUTES)
    assert (await door.log_in()).token


async def test_two_hundred_wrong_ones_lock_an_email(door: Door) -> None:
    """They count for any clients, so no crowd can go on guessing; other e-mails are free."""
    await door.house.service.legacy_users.create(door.house.by, email=RAVI, password="tea")
    for number in range(50):
        for _ in range(4):
            await door.refuses("coffee", client=f"198.51.100.{number}")
    await door.refuses("coffee", client=ELSEWHERE)
    await door.refuses(client=ELSEWHERE)

    assert 200 == len(door.hasher.asked)
    assert (await door.log_in(email=RAVI, client=ELSEWHERE)).token

    door.house.clock.move(15 * MINUTES)
    assert (await door.log_in(client=ELSEWHERE)).token


async def test_of_one_clients_many_at_once_fifty_count(door: Door) -> None:
    """On any number of nodes: the append counts, and refused logins were not compared."""
    nodes = [door, node(door.house), node(door.house)]
    await asyncio.gather(*(nodes[n % 3].refuses("coffee", f"{n}@tea.example") for n in range(120)))
    await door.refuses()
    door.house.clock.move(31 * MINUTES)

    dropped = 0
    while some := await door.house.forget():
        dropped += some
    assert 3 * 50 == dropped


async def test_a_client_waits_for_no_other_ones_hash(door: Door) -> None:
    """While one client's login for an e-mail is compared, another's goes on."""

    async def from_elsewhere() -> None:
        assert (await door.log_in(client=ELSEWHERE)).token
        for _ in range(5):
            await door.refuses("coffee")

    await slow_login(door, from_elsewhere)


async def test_right_ones_and_refused_ones_do_not_count(door: Door) -> None:
    """Only compared and wrong logins count."""
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
    """Wrong logins of another e-mail do not count with them."""
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


async def test_the_store_gives_nobody_away_by_trying_all(door: Door) -> None:
    """The count of wrong logins needs the code key, which is not in the store (D-108)."""
    asked: list[Condition] = []

    class Stolen(TroubledStore):
        async def append(self, append: Append) -> Sequence[int]:
            asked.extend(append.conditions)
            return await super().append(append)

    watched = evolve(door.house, store=Stolen(door.house.store))
    for keyring in (KEYRING, Keyring(1, {1: b"o" * 32})):
        await node(watched, keyring).refuses("coffee", NOBODY)
    subjects = {each.subject for each in asked if isinstance(each, WithinRate)}

    # The client for the e-mail, the client, and the e-mail, under either key.
    assert 6 == len(subjects)
    assert not [each for each in subjects if NOBODY in each or HOME in each]


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
    """The worker deletes them, and not before they are free again."""
    for _ in range(5):
        await door.refuses("coffee")
    assert 0 == await door.house.forget()
    await door.refuses()
    door.house.clock.move(31 * MINUTES)

    # Each counts for its client, for its e-mail, and for both.
    assert 15 == await door.house.forget()


async def test_a_right_one_loses_against_five_that_were_recorded_meanwhile(door: Door) -> None:
    """Five wrong ones were recorded between its look-up and its token (D-98)."""
    other = node(door.house)

    async def five_wrong_ones() -> None:
        for _ in range(5):
            await other.refuses("coffee")

    await slow_login(door, five_wrong_ones)


async def slow_login(door: Door, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """Log in with the right password, while something happens during its hash."""

    class SlowHasher(FakePasswordHasher):
        async def matches(self, password: str, password_hash: str | None, client: str) -> bool:
            await meanwhile()
            return await super().matches(password, password_hash, client)

    house = door.house
    journal = Journal(house.store)
    tokens = Tokens(journal, house.service.randomness, house.clock)
    logins = LoggingIn(journal, SlowHasher(), HmacFingerprinter(KEYRING), tokens, house.clock)
    with pytest.raises(BadLoginError):
        await logins.log_in(ASHA, "tea", "req_1", client=HOME)


async def test_a_token_given_while_the_user_is_removed_opens_nothing(door: Door) -> None:
    """It belongs to the generation that its login had seen."""
    house = door.house
    (user,) = (await house.service.legacy_users.list(None, PAGE)).data
    given = await door.log_in()
    await house.service.legacy_users.remove(house.by, user.id)

    with pytest.raises(TokenInvalidError):
        await house.service.legacy_tokens.caller(given.token, "req_1")
    await door.refuses()
