"""Tokens: an hour from their last use, to the second, or without an end if that was asked (C-42, D-97)."""

from __future__ import annotations

import pytest

from tests.application.house import House, build_house
from watchword.application.errors import UnavailableError
from watchword.application.legacy.tokens import TokenInvalidError
from watchword.application.paging import Paging
from watchword.application.ports.listings import Query
from watchword.application.records.legacy_token import LegacyTokenRow

HOUR, DAY = 3_600, 86_400
PAGE = Paging.clamped(1, 25)


@pytest.fixture
async def house() -> House:
    """Return a service with one legacy user."""
    built = await build_house()
    await built.service.legacy_users.create(built.by, email="asha@tea.example", password="tea")
    return built


async def log_in(house: House, *, never_expire: bool = False) -> str:
    """Log in and give the token."""
    given = await house.service.legacy_logins.log_in(
        "asha@tea.example", "tea", "req_1", client="", never_expire=never_expire
    )
    return given.token


async def use(house: House, token: str) -> None:
    """Use a token."""
    await house.service.legacy_tokens.caller(token, "req_2")


async def refuses(house: House, token: str) -> None:
    """Use a token, in vain."""
    with pytest.raises(TokenInvalidError):
        await use(house, token)


async def kept(house: House) -> list[LegacyTokenRow]:
    """Return the tokens on record."""
    return list(
        await house.service.journal.slice(Query(rows=LegacyTokenRow, order_by="created_at"))
    )


@pytest.mark.parametrize("token", ["", "x" * 43, "☃"])
async def test_an_unknown_token_opens_nothing(house: House, token: str) -> None:
    """Any text that is no token is refused."""
    await refuses(house, token)


async def test_each_use_is_good_for_another_hour(house: House) -> None:
    """At 59 minutes 59 seconds the hour begins again; at 60 minutes 1 second the token is over."""
    token = await log_in(house)
    for _ in range(30):
        house.clock.move(HOUR - 1)
        await use(house, token)
    house.clock.move(HOUR + 1)

    await refuses(house, token)


@pytest.mark.parametrize("step", [0.01, 0.3, 0.999, 1, 1.7])
async def test_the_last_of_many_uses_counts(house: House, step: float) -> None:
    """Not every one is written down, and yet none ends early, nor more than a second late."""
    token = await log_in(house)
    for _ in range(7):
        house.clock.move(step)
        await use(house, token)
    house.clock.move(HOUR)
    await use(house, token)
    house.clock.move(HOUR + 1)

    await refuses(house, token)


async def test_a_busy_token_is_written_once_a_second(house: House) -> None:
    """A use within a second of the one on record writes nothing, and none makes an event."""
    token = await log_in(house)
    house.clock.move(5)
    await use(house, token)
    (written,) = await kept(house)
    position = (await house.service.journal.read_log(0, 1_000))[-1].position
    for _ in range(9):
        house.clock.move(0.1)
        await use(house, token)

    assert [written] == await kept(house)
    assert position == (await house.service.journal.read_log(0, 1_000))[-1].position


async def test_a_token_that_never_expires_works_after_thirty_days(house: House) -> None:
    """Unused, and after the worker has looked for old ones."""
    token = await log_in(house, never_expire=True)
    house.clock.move(30 * DAY)
    await house.forget()

    await use(house, token)


async def test_the_store_keeps_no_token(house: House) -> None:
    """The store has its hash alone, and the log not even that."""
    token = await log_in(house)
    log = await house.service.journal.read_log(0, 1_000)

    assert token not in repr(await kept(house))
    assert token not in "".join(str(each) for each in log)
    assert 43 == len(token)


async def test_revoked_tokens_are_void_and_later_ones_are_not(house: House) -> None:
    """Tokens that never expire are void too; the user logs in again."""
    (user,) = (await house.service.legacy_users.list(None, PAGE)).data
    tokens = [await log_in(house), await log_in(house, never_expire=True)]
    await house.service.legacy_users.revoke_tokens(house.by, user.id)
    for token in tokens:
        await refuses(house, token)

    await use(house, await log_in(house))


async def test_a_use_on_its_way_brings_no_revoked_token_back(house: House) -> None:
    """Its write comes behind the revocation, and the token stays void."""
    (user,) = (await house.service.legacy_users.list(None, PAGE)).data
    token = await log_in(house)
    house.clock.move(5)
    house.store.meanwhile = lambda: house.service.legacy_users.revoke_tokens(house.by, user.id)
    await use(house, token)

    await refuses(house, token)


async def test_a_user_of_the_same_email_has_tokens_of_ones_own(house: House) -> None:
    """Removed and created anew, which is how a password is changed; the old tokens stay void."""
    (user,) = (await house.service.legacy_users.list(None, PAGE)).data
    old = await log_in(house)
    await house.service.legacy_users.remove(house.by, user.id)
    await house.service.legacy_users.create(house.by, email="asha@tea.example", password="tea")
    await refuses(house, old)

    await use(house, await log_in(house))


async def test_the_worker_forgets_what_has_expired(house: House) -> None:
    """Tokens that can still be used stay."""
    await log_in(house)
    house.clock.move(HOUR)
    fresh = await log_in(house)
    house.clock.move(1.001)

    assert 1 == await house.forget()
    assert 0 == await house.forget()
    await use(house, fresh)


async def test_a_store_out_of_reach_opens_nothing(house: House) -> None:
    """No token is accepted on a guess."""
    token = await log_in(house)
    house.store.reachable = False

    with pytest.raises(UnavailableError):
        await use(house, token)
