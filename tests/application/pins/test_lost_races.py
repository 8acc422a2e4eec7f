"""A decision that lost the race for its stream is thrown away and made again, in time (C-14)."""

import asyncio

import pytest

from tests.application.house import build_house
from tests.fakes.loops import HurriedLoop
from watchword.application.errors import UnavailableError
from watchword.application.pins.resending_pins import ResendRequest
from watchword.domain.pin import PinBlockedError, PinIncorrectError


async def test_a_verify_that_loses_races_is_told_once() -> None:
    """A guess that is decided again costs one attempt and is one event."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    house.store.races = 20
    with pytest.raises(PinIncorrectError) as refusal:
        await house.service.verifying.verify(house.by, pin_id, "wrong")

    assert 2 == refusal.value.attempts_remaining
    assert 0 == house.store.races
    assert ["PinIssued", "PinDispatched", "VerifyFailed"] == await house.story(pin_id)


async def test_a_right_guess_that_comes_too_late_is_too_late() -> None:
    """It matched when it was compared; when it was to be recorded, the PIN was blocked."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    other_node = house.other_node().verify

    async def block() -> None:
        for _ in range(4):
            with pytest.raises((PinIncorrectError, PinBlockedError)):
                await other_node(house.by, pin_id, "wrong")

    house.store.meanwhile = block
    with pytest.raises(PinBlockedError):
        await house.service.verifying.verify(house.by, pin_id, house.code())

    assert "PinVerified" not in await house.story(pin_id)


async def test_a_right_guess_wins_against_a_wrong_one_that_was_slower() -> None:
    """The wrong guess finds a verified PIN, and no attempt is counted."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    other_node = house.other_node()
    code = house.code()
    house.store.meanwhile = lambda: other_node.verify(house.by, pin_id, code)
    with pytest.raises(Exception, match="verified already"):
        await house.service.verifying.verify(house.by, pin_id, "wrong")

    assert ["PinIssued", "PinDispatched", "PinVerified"] == await house.story(pin_id)


async def test_a_create_and_a_resend_that_lose_races_send_once() -> None:
    """The dispatch begins when the race is won, and its outcome is recorded in the end."""
    house = await build_house()
    house.store.races = 5
    pin_id = (await house.issue()).pin_id
    house.store.races = 5
    await house.service.resending.resend(house.by, pin_id, ResendRequest())

    assert 2 == len(house.provider.messages)
    assert ["PinIssued", "PinDispatched", "PinResent", "PinDispatched"] == (
        await house.story(pin_id)
    )


async def test_a_template_that_is_disabled_meanwhile_is_obeyed() -> None:
    """The create was decided on an enabled template; it is decided again, and refused."""
    house = await build_house()
    house.store.meanwhile = lambda: house.service.pin_templates.disable(house.by, house.template_id)
    with pytest.raises(Exception, match="disabled"):
        await house.issue()

    assert [] == house.provider.messages
    assert [] == await house.pins()


def test_who_only_loses_gives_up() -> None:
    """After 5 seconds of lost races the answer is 503; nothing is counted."""

    async def lose() -> None:
        house = await build_house()
        pin_id = (await house.issue()).pin_id
        house.store.races = 10**9
        with pytest.raises(UnavailableError):
            await house.service.verifying.verify(house.by, pin_id, house.code())
        house.store.races = 0

        assert ["PinIssued", "PinDispatched"] == await house.story(pin_id)

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        runner.run(lose())
