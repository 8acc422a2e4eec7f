"""How the guard limits wrong guesses against one destination (guard rules, C-77, C-102)."""

from __future__ import annotations

import asyncio
from typing import Any

import attrs
import pytest

from tests.application.guard.guarded_house import FREE, GuardedHouse, enforced, recorded
from tests.application.house import build_house
from watchword.domain.event import Event
from watchword.domain.guard import SendsFlagged
from watchword.domain.pin_template.policy import PinPolicy

OTHER = "+447700900999"
VERDICTS = ("VerifyFailed", "PinBlocked", "PinVerified")


@pytest.fixture
async def guard() -> GuardedHouse:
    """Return an account that allows four wrong guesses a day, as many as one PIN needs."""
    return await GuardedHouse.on(await build_house(), guesses=enforced("4/1d"))


async def spent(guard: GuardedHouse) -> None:
    """Use up the guesses against a destination, on one PIN of a template of its own."""
    pin = await (await guard.with_another_template()).create()
    for _ in range(FREE.pin_attempts + 1):
        await guard.guess(pin)


async def verdicts(guard: GuardedHouse) -> list[Event]:
    """Return the verdicts on the log."""
    log = await guard.house.store.read_log(0, 100_000)
    return [each.event for each in log if each.type in VERDICTS]


async def test_over_the_limit_no_verdict_is_told(guard: GuardedHouse) -> None:
    """Neither of a wrong code nor of the right one, and no attempt is spent (C-77)."""
    waiting = await guard.create()
    sent = guard.house.code()
    await spent(guard)
    before = len(await verdicts(guard))

    assert "guesses" == await guard.guess(waiting, "wrong")
    assert "guesses" == await guard.guess(waiting, sent)
    assert before == len(await verdicts(guard))


async def test_over_the_limit_no_code_is_sent(guard: GuardedHouse) -> None:
    """Neither by a create nor by a resend; another destination is not concerned (C-77)."""
    waiting = await guard.create()
    await spent(guard)

    assert ["guesses", "guesses"] == [await guard.create(), await guard.resend(waiting)]
    assert "verified" == await guard.verify(await guard.create(OTHER))


async def test_the_limit_ends_with_its_window(guard: GuardedHouse) -> None:
    """And up to a sixtieth later, as Retry-After says (C-102)."""
    await spent(guard)
    guard.house.clock.move(86_400 - 1)
    assert "guesses" == await guard.create()

    guard.house.clock.move(86_400 / 60 + 1)
    assert "verified" == await guard.verify(await guard.create())


async def test_a_right_code_sets_the_count_to_zero(guard: GuardedHouse) -> None:
    """People who mistype often are not kept out by it."""
    for _ in range(4):
        pin = await guard.create()
        assert ["pin_incorrect"] * 3 == [await guard.guess(pin) for _ in range(3)]
        assert "verified" == await guard.verify(pin)


async def test_guesses_of_all_pins_and_templates_count_together(guard: GuardedHouse) -> None:
    """A second PIN or template gives no second budget."""
    other = await guard.with_another_template()
    first, second = await guard.create(), await other.create()
    told = [await guard.guess(each) for each in (first, first, second, second, first)]

    assert ["pin_incorrect"] * 4 + ["guesses"] == told


@pytest.mark.parametrize(("policy", "attempts", "allowed"), [("4/1d", 9, 10), ("500/1d", 3, 100)])
async def test_one_pin_can_always_be_guessed_to_its_end(
    policy: str, attempts: int, allowed: int
) -> None:
    """The limit is at least one more than the attempts of a PIN, and at most 100 (NIST 800-63B)."""
    template: PinPolicy = attrs.evolve(FREE, pin_attempts=attempts)
    guard = await GuardedHouse.on(await build_house(), template, guesses=enforced(policy))
    told: list[str] = []
    while (pin := await guard.create()).startswith("pin_"):
        told += [await guard.guess(pin) for _ in range(attempts + 1)]

    assert "guesses" == pin
    assert {"pin_incorrect", "pin_blocked"} == set(told)
    assert allowed == len(told)


async def test_a_recorded_limit_tells_the_verdict(guard: GuardedHouse) -> None:
    """It is flagged instead, and the flags are counted by destination, masked."""
    await guard.put(guesses=recorded("4/1d"))
    waiting = await guard.create()
    await spent(guard)

    assert "pin_incorrect" == await guard.guess(waiting)
    again = await guard.create()
    assert ("guesses",) == (await guard.event(again)).flags
    assert "verified" == await guard.verify(again)
    guard.house.clock.move(60)
    await guard.house.service.recording_decisions.run_due()
    log = [each.event for each in await guard.house.store.read_log(0, 1_000)]
    (told,) = [each for each in log if isinstance(each, SendsFlagged)]
    assert ("guesses", "+4477******23", 3) == (told.rule, told.subject, told.count)


async def test_an_expired_code_is_told_before_the_limit(guard: GuardedHouse) -> None:
    """The expiry is no verdict on the guess (C-102)."""
    waiting = await guard.create()
    await spent(guard)
    guard.house.clock.move(601)

    assert ["pin_expired", "pin_expired"] == [await guard.guess(waiting) for _ in range(2)]


async def test_guesses_that_race_get_no_more_verdicts(guard: GuardedHouse) -> None:
    """Of guesses on many PINs at once, on two nodes, no more are judged than one after the other."""
    pins = [await (await guard.with_another_template()).create() for _ in range(6)]
    nodes = (guard, guard.other_node())
    guesses: list[Any] = [node.guess(pin) for pin in pins for node in nodes]
    told = await asyncio.gather(*guesses)

    assert ["guesses"] * 8 + ["pin_incorrect"] * 4 == sorted(told)
    assert 4 == len(await verdicts(guard))


async def test_an_erased_person_takes_the_count_along(guard: GuardedHouse) -> None:
    """Whoever has the number afterwards is somebody else (C-74)."""
    await spent(guard)
    await guard.house.service.erasing_people.erase(guard.house.by, "+447700900123")

    assert "verified" == await guard.verify(await guard.create())
