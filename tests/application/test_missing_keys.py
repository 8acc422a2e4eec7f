"""A node that has fallen behind a rotation of the code key (C-3, C-14)."""

from __future__ import annotations

import pytest

from tests.application.house import build_house, node_on
from tests.application.post_office import CODE, WAIT, fallback, falls_back, send, step, work
from watchword.adapters.keyring import Keyring
from watchword.application.errors import UnavailableError
from watchword.application.ports.sealer import SealKeyMissingError
from watchword.domain.pin import PinStatus

AHEAD = Keyring(2, {2: b"2" * 32})


async def test_a_node_without_the_key_spends_no_attempt() -> None:
    """It answers 503, and the right code verifies on a node that has the key."""
    house = await build_house()
    pin = await house.issue()
    other = node_on(house, AHEAD).service.verifying
    for _ in range(10):
        with pytest.raises(UnavailableError):
            await other.verify(house.by, pin.pin_id, house.code())
    verified = await house.service.verifying.verify(house.by, pin.pin_id, house.code())

    assert (PinStatus.VERIFIED, 3) == (verified.status, verified.attempts_remaining)
    assert ["PinIssued", "PinDispatched", "PinVerified"] == await house.story(pin.pin_id)


async def test_a_node_without_the_key_leaves_a_sealed_step_to_others() -> None:
    """It puts the run off, and says so; a node that has the key sends what was sealed."""
    house = await build_house()
    await falls_back(house)
    (sent,) = await send(house, fallback=fallback(step(CODE)))
    house.clock.move(WAIT)
    other = node_on(house, AHEAD)
    with pytest.raises(SealKeyMissingError):
        await work(other)
    assert 1 == len(house.provider.messages)

    house.clock.move(60)
    await work(house)

    assert sent.run_id is not None
    assert CODE.text == house.provider.messages[-1].text
    assert "FallbackFired" in await house.story(sent.run_id)
