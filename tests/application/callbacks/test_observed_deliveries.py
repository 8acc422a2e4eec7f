"""Callbacks for operators: a log line for each failed attempt, and a count of all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.application.callbacks.conftest import URL, endpoint, work
from tests.application.house import House, build_house
from watchword.adapters.logging_observer import LoggingObserver
from watchword.adapters.meters import Meters
from watchword.application.ports.web import WebFailure

DAYS = 3 * 24 * 60 * 60


async def troubled(*observers: Any) -> House:
    """Return a house whose one callback fails, is given up, and arrives when it is issued again."""
    house = await build_house(observers=observers)
    await endpoint(house, f"{URL}?key=CANARY", events=["pin.issued"])
    house.web.status = WebFailure.TIMEOUT
    await house.issue()
    await work(house)
    house.clock.move(DAYS)
    await work(house)
    house.web.status = 200
    await house.issue()
    await work(house)
    return house


async def test_attempts_are_counted_by_what_became_of_them() -> None:
    """Three words, and no other label."""
    meters = Meters()
    await troubled(meters)
    shown = meters.exposition().decode()

    for outcome in ("delivered", "failed", "given_up"):
        assert f'watchword_callback_attempts_total{{outcome="{outcome}"}} 1.0' in shown


async def test_failed_attempts_are_lines(caplog: pytest.LogCaptureFixture) -> None:
    """A line has ids and kinds, but no URL, whose path may be a secret; successes have no line."""
    await troubled(LoggingObserver())
    entries: list[Any] = [each.msg for each in caplog.records]

    assert [
        ("callback_failed", "pin.issued", 1, "timeout", None),
        ("callback_given_up", "pin.issued", 2, "timeout", None),
    ] == [
        (each["event"], each["type"], each["attempts"], each["error"], each["status"])
        for each in entries
    ]
    assert "CANARY" not in caplog.text
