"""The worker drops what budgets counted when no window reaches it (D-382)."""

from __future__ import annotations

from tests.application.house import build_house
from watchword.application.ports.event_store import Append
from watchword.domain.conditions import WithinBudget
from watchword.domain.rate_limit import Rate


async def test_old_tallies_are_forgotten() -> None:
    """The bucket counts for 61 minutes; ten minutes more are for a clock that is set back."""
    house = await build_house()
    now = house.clock.now()
    send = WithinBudget("prefix", Rate("1/1h"), now, "unverified.prefix")
    await house.store.append(Append(at=now, actor="test", request_id="req_1", conditions=(send,)))
    house.clock.move(70 * 60)
    assert 0 == await house.forget()
    house.clock.move(60)

    assert 1 == await house.forget()
