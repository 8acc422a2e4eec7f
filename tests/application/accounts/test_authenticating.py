"""Authentication: keys are remembered for a second, and no longer (C-6, C-8)."""

from __future__ import annotations

import asyncio

import pytest

from tests.application.house import House, build_house
from watchword.application.accounts.authenticating import Authenticating
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.domain.accounts.account import AccountSuspendedError
from watchword.domain.accounts.api_key import ForbiddenError, Scope, UnauthorizedError


def other_node(house: House) -> Authenticating:
    """Return another node on the same store."""
    return Authenticating(Journal(house.store), house.clock)


async def test_a_caller_is_its_keys_account() -> None:
    """The key's id is the actor, its account the one acted for (C-38)."""
    house = await build_house()
    made = await house.service.api_keys.create(house.by, "web")
    caller = await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_1")

    assert (house.by.account_id, made.record.id, "req_1") == (
        caller.account_id,
        caller.actor,
        caller.request_id,
    )


@pytest.mark.parametrize("key", ["", "ww_unheard-of", "☃"])
async def test_an_unknown_key_is_nobodys(key: str) -> None:
    """Any text that is no key opens nothing."""
    house = await build_house()
    with pytest.raises(UnauthorizedError):
        await house.service.authenticating.authenticate(key, Scope.PINS, "req_1")


async def test_a_key_serves_its_scopes_alone() -> None:
    """The refusal names the scope that is missing."""
    house = await build_house()
    made = await house.service.api_keys.create(house.by, "web", scopes=(Scope.MESSAGING,))
    with pytest.raises(ForbiddenError, match="pins"):
        await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_1")


async def test_a_key_revoked_elsewhere_is_refused_within_a_second() -> None:
    """A node trusts a key that it read for one second of real time, not longer (R33)."""
    house = await build_house()
    node = other_node(house)
    made = await house.service.api_keys.create(house.by, "web")
    await node.authenticate(made.key, Scope.PINS, "req_1")
    await house.service.api_keys.revoke(house.by, made.record.id)
    house.clock.move_real(0.999)
    await node.authenticate(made.key, Scope.PINS, "req_2")
    house.clock.move_real(0.001)
    with pytest.raises(UnauthorizedError):
        await node.authenticate(made.key, Scope.PINS, "req_3")


async def test_a_key_revoked_here_is_refused_at_once() -> None:
    """The node that revokes a key forgets it."""
    house = await build_house()
    made = await house.service.api_keys.create(house.by, "web")
    await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_1")
    await house.service.api_keys.revoke(house.by, made.record.id)
    with pytest.raises(UnauthorizedError):
        await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_2")


async def test_a_clock_that_steps_back_trusts_nothing_longer() -> None:
    """A key that was read in the future is read again."""
    house = await build_house()
    node = other_node(house)
    made = await house.service.api_keys.create(house.by, "web")
    await node.authenticate(made.key, Scope.PINS, "req_1")
    await house.service.api_keys.revoke(house.by, made.record.id)
    house.clock.move_real(-3600)
    with pytest.raises(UnauthorizedError):
        await node.authenticate(made.key, Scope.PINS, "req_2")


async def test_a_remembered_key_still_expires() -> None:
    """The expiry is looked at on every call, by the service's clock."""
    house = await build_house()
    made = await house.service.api_keys.create(
        house.by, "web", expires_at=house.clock.now().replace(hour=13)
    )
    await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_1")
    house.clock.move(3600)
    with pytest.raises(UnauthorizedError):
        await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_2")


async def test_within_its_second_a_key_outlives_the_store() -> None:
    """After that second the answer is 503, and never a guess."""
    house = await build_house()
    made = await house.service.api_keys.create(house.by, "web")
    await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_1")
    house.store.reachable = False
    await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_2")
    house.clock.move_real(1)
    with pytest.raises(UnavailableError):
        await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_3")


async def test_an_account_suspended_elsewhere_is_refused_within_a_second() -> None:
    """A resumed account is accepted again within a second, for any scope (C-95)."""
    house = await build_house()
    node, accounts = other_node(house), house.service.accounts
    made = await house.service.api_keys.create(house.by, "web")
    await node.authenticate(made.key, Scope.PINS, "req_1")
    await accounts.suspend(house.by, house.by.account_id)
    with pytest.raises(AccountSuspendedError):
        await house.service.authenticating.authenticate(made.key, Scope.MESSAGING, "req_2")
    house.clock.move_real(1)
    with pytest.raises(AccountSuspendedError):
        await node.authenticate(made.key, Scope.PINS, "req_3")
    await accounts.resume(house.by, house.by.account_id)
    house.clock.move_real(1)
    caller = await node.authenticate(made.key, Scope.PINS, "req_4")

    assert house.by.account_id == caller.account_id


async def test_requests_that_come_together_share_a_look_at_the_store() -> None:
    """After the second, one request reads the key, and the others share its result."""
    house = await build_house()
    made = await house.service.api_keys.create(house.by, "web")
    await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_1")
    house.clock.move_real(1)
    asked = house.store.asked_for_holders
    callers = await asyncio.gather(
        *(
            house.service.authenticating.authenticate(made.key, Scope.PINS, f"req_{number}")
            for number in range(20)
        )
    )

    assert {made.record.id} == {caller.actor for caller in callers}
    assert 1 == house.store.asked_for_holders - asked


async def test_a_slow_look_at_the_store_is_shared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests that waited when a look-up began share its result, even if it takes longer than a second."""
    house = await build_house()
    made = await house.service.api_keys.create(house.by, "web")
    await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_1")
    house.clock.move_real(1)
    asked, holders = house.store.asked_for_holders, house.store.holders

    async def a_second_later(subject: str) -> frozenset[str]:
        held = await holders(subject)
        house.clock.move_real(1)
        return held

    monkeypatch.setattr(house.store, "holders", a_second_later)
    callers = await asyncio.gather(
        *(
            house.service.authenticating.authenticate(made.key, Scope.PINS, f"req_{number}")
            for number in range(20)
        )
    )

    assert {made.record.id} == {caller.actor for caller in callers}
    # The first one's, which began before the others came, and one for all of them.
    assert 2 == house.store.asked_for_holders - asked


async def test_requests_with_what_is_no_key_wait_for_nobody() -> None:
    """A client with a wrong key gets its 401 at once, and never waits in line."""
    house = await build_house()
    asked = house.store.asked_for_holders
    refused = [
        asyncio.create_task(house.service.authenticating.authenticate("nobody's", Scope.PINS, "r"))
        for _ in range(20)
    ]
    await asyncio.sleep(0)

    assert 20 == house.store.asked_for_holders - asked
    told = await asyncio.gather(*refused, return_exceptions=True)
    assert {UnauthorizedError} == {type(each) for each in told}


async def test_the_last_use_is_an_event_every_ten_minutes() -> None:
    """Further uses within that time append nothing (D-6)."""
    house = await build_house()
    made = await house.service.api_keys.create(house.by, "web")
    for _ in range(12):
        await house.service.authenticating.authenticate(made.key, Scope.PINS, "req_1")
        house.clock.move(100)
        house.clock.move_real(100)

    assert ["ApiKeyCreated", "ApiKeyUsed", "ApiKeyUsed"] == await house.story(made.record.id)
