"""Fallbacks by the hundred: sent to numbers that say nothing, and each to be fired once."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from tests.crash.checks import check_store
from tests.crash.phone import SENDER, Phone
from tests.crash.record import Record
from tests.crash.waiting import until
from watchword.domain.channel import OutcomeStatus
from watchword.domain.fallback_run import FallbackDispatched, FallbackFired
from watchword.entrypoints.demo.seeding import API_KEY

# A message that no phone has received by then is missing.
MISSING_SECONDS = 30


async def send(session: ClientSession, numbers: list[str], waits: int) -> dict[str, str]:
    """Send to numbers that stay silent, and return the run of each."""
    text = {"type": "SI", "messageBody": "Your tea is ready."}
    body = {
        "sms": [{**text, "sender": "Watchword", "recipient": each} for each in numbers],
        "fallback": {
            "fallback_id": "demo",
            "fallback": True,
            "waittime": str(waits),
            "sms": {**text, "sender": SENDER},
        },
    }
    async with session.post("/oapi/send_sms", json=body, headers={"apikey": API_KEY}) as answer:
        sent: dict[str, Any] = await answer.json()
        assert 200 == answer.status
    return {each["recipient"]: each["fallbackRunId"] for each in sent["data"]}


def numbers(first: int, count: int) -> list[str]:
    """Return numbers whose provider accepts and then says nothing."""
    return [f"+44770{each:06}9" for each in range(first, first + count)]


async def check_fired(runs: dict[str, str], listening: Phone, database: Path | str) -> Record:
    """Every run has fired once, its step was accepted, and its number has received it."""
    await until(lambda: listening.received.keys() >= runs.keys(), MISSING_SECONDS)
    record = await Record.of(database)
    fired = Counter(each.stream for each in record.log if isinstance(each.event, FallbackFired))
    taken = {
        each.stream
        for each in record.log
        if isinstance(each.event, FallbackDispatched)
        and each.event.outcome.status is OutcomeStatus.ACCEPTED
    }

    assert Counter(dict.fromkeys(runs.values(), 1)) == fired
    assert set(runs.values()) == taken
    assert listening.received.keys() == runs.keys()
    check_store(record)
    return record


async def until_dispatched(runs: set[str], database: Path | str) -> None:
    """
    Wait until every run has fired, and the outcome of every send is recorded.

    It polls the store of the server's process: neither its answers nor the phone show when the outcome of a
    send that a kill cut off has been recorded.
    """
    async with asyncio.timeout(60):
        while True:
            record = await Record.of(database)
            fired = {each.stream for each in record.log if isinstance(each.event, FallbackFired)}
            if not record.undispatched and runs <= fired:
                return
            await asyncio.sleep(0.5)
