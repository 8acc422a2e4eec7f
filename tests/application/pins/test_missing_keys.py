"""A node that has fallen behind a rotation of the code key (C-3, C-14)."""

from __future__ import annotations

import pytest

from tests.application.house import build_house
from watchword.adapters.hashing import PasslibCodeHasher
from watchword.adapters.keyring import Keyring
from watchword.application.errors import UnavailableError
from watchword.application.pins.verifying_pins import VerifyingPins
from watchword.domain.pin import PinStatus


async def test_a_node_without_the_key_spends_no_attempt() -> None:
    """It answers 503, and the right code verifies on a node that has the key."""
    house = await build_house()
    pin = await house.issue()
    behind = VerifyingPins(
        house.service.journal, PasslibCodeHasher(Keyring(2, {2: b"2" * 32})), house.clock
    )
    for _ in range(10):
        with pytest.raises(UnavailableError):
            await behind.verify(house.by, pin.pin_id, house.code())
    verified = await house.service.verifying.verify(house.by, pin.pin_id, house.code())

    assert (PinStatus.VERIFIED, 3) == (verified.status, verified.attempts_remaining)
    assert ["PinIssued", "PinDispatched", "PinVerified"] == await house.story(pin.pin_id)
