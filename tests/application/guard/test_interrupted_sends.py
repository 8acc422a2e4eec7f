"""What the guard counted stays right through crashes and erasures (C-15, C-74)."""

from __future__ import annotations

import asyncio

import pytest

from tests.application.guard.guarded_house import FREE, NUMBER, GuardedHouse, enforced, unverified
from tests.application.house import build_house, code_in, node_on
from tests.fakes.providers import HesitantProvider
from watchword.application.audit.checking import AuditInputs, Checking

NEIGHBOUR = "+447700900999"


async def test_a_create_whose_process_died_stays_counted() -> None:
    """Its code may have arrived: recovery neither counts it again nor gives it back; a verify does."""
    provider = HesitantProvider()
    guard = await GuardedHouse.on(
        await build_house(provider),
        FREE,
        unverified=unverified(prefix=enforced("1/1h")),
        verified_pass=None,
    )
    process = asyncio.create_task(guard.create())
    await provider.asked.wait()
    process.cancel()
    with pytest.raises(asyncio.CancelledError):
        await process
    provider.may_answer.set()
    node = GuardedHouse(house=node_on(guard.house), template_id=guard.template_id)

    assert "unverified.prefix" == await node.create(NEIGHBOUR)
    guard.house.clock.move_real(30)
    assert 1 == await node.house.recovering.run_due()
    assert "unverified.prefix" == await node.create(NEIGHBOUR)
    (pin_id,) = await guard.house.pins()
    assert "verified" == await node.guess(pin_id, code_in(provider.messages[0].text))
    assert (await node.create(NEIGHBOUR)).startswith("pin_")


async def test_an_erasure_gives_nothing_back() -> None:
    """The send was made, and nobody can verify it any more; the rest of the prefix stays refused."""
    guard = await GuardedHouse.on(
        await build_house(), FREE, unverified=unverified(prefix=enforced("1/1h"))
    )
    pin_id = await guard.create()
    sent = guard.house.code()
    await guard.house.service.erasing_people.erase(guard.house.by, NUMBER)

    assert "pin_expired" == await guard.guess(pin_id, sent)
    assert "unverified.prefix" == await guard.create(NEIGHBOUR)
    assert () == await differences(guard)


async def test_an_audit_finds_everything_as_the_log_says() -> None:
    """With sends that are counted, flagged and given back, guesses, and a context (D-157)."""
    guard = await GuardedHouse.on(
        await build_house(), FREE, unverified=unverified(prefix=enforced("3/1h"))
    )
    for number, ip in ((NUMBER, "203.0.113.9"), (NEIGHBOUR, None)):
        pin_id = await guard.create(number, ip)
        await guard.guess(pin_id)
        assert "sent" == await guard.resend(pin_id) or number == NEIGHBOUR
        await guard.verify(pin_id)

    assert () == await differences(guard)


async def differences(guard: GuardedHouse) -> tuple[object, ...]:
    """Return what an audit finds."""
    inputs = AuditInputs(now=guard.house.clock.now)
    return (await Checking(guard.house.service.journal, inputs).check()).differences
