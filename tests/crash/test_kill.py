"""Killed in the middle of its work, the service forgets nothing that it has told (R3, R10, R14)."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.crash.load import ADMIN, FEW, PINS, Client, Notebook, Told, put_under_load, set_up
from tests.crash.record import Record
from tests.crash.server import connected, serving
from watchword.application.ports.event_store import LEASE_SECONDS
from watchword.domain.pin import PinDispatched, PinIssued, PinSuperseded, PinVerified, VerifyFailed

LOOPS = int(os.environ.get("WATCHWORD_CRASH_LOOPS", "10"))
SEED = int(os.environ.get("WATCHWORD_CRASH_SEED", "4711"))
STREAMS_LOOKED_AT = 10


@pytest.mark.parametrize("loop", range(LOOPS))
async def test_nothing_acknowledged_is_lost(tmp_path: Path, loop: int) -> None:
    """Load, kill at a random moment, restart: all that was told holds, and all that is kept fits."""
    random = Random(SEED + loop)
    notebook = Notebook()
    async with serving(tmp_path) as server, connected(server) as session:
        templates = await set_up(session)
        load = asyncio.create_task(put_under_load(Client(session, notebook), templates, random))
        # Not a wait for something: this is how long the load goes on.
        await asyncio.sleep(random.uniform(0.05, 0.8))
        server.kill()
        await load
    # Where a key is free again, its silent provider is not waited for as long as before.
    async with serving(tmp_path, "--provider-timeout", "1") as server, connected(server) as session:
        record = await Record.of(tmp_path / "watchword.db")
        check_store(record)
        check_log(notebook, record)
        await check_audit(session, notebook, record, random)
        await check_attempts(session, notebook, record)
        await check_replays(session, notebook)
        await check_keys_in_flight(session, notebook)
        await check_limits(session, templates.few, record)


def check_store(record: Record) -> None:
    """The file is whole, read models equal a replay, and every lost dispatch will be recovered."""
    assert () == record.checked.differences
    assert len(record.log) == record.checked.events
    assert record.undispatched == record.due


def check_log(notebook: Notebook, record: Record) -> None:
    """Every acknowledged request that changes something stands in the log as it was told."""
    for told in notebook.answered("create", 201, 502):
        issued, dispatched, *superseded = record.behind(told.request_id)

        assert isinstance(issued.event, PinIssued)
        assert isinstance(dispatched.event, PinDispatched)
        assert issued.stream == dispatched.stream == told.content.get("pinId", issued.stream)
        assert all(isinstance(each.event, PinSuperseded) for each in superseded)
    for told in notebook.answered("resend", 200, 502):
        events = [type(each.event).__name__ for each in record.behind(told.request_id)]

        assert {"PinResent", "PinDispatched"} <= set(events)
    for told in notebook.answered("verify", 200):
        (verified,) = record.behind(told.request_id)

        assert isinstance(verified.event, PinVerified)
        assert "VERIFIED" == _row(record, verified.stream).status
    for told in notebook.answered("verify", 422):
        (failed,) = record.behind(told.request_id)

        assert isinstance(failed.event, VerifyFailed)
        assert failed.event.attempts_remaining == _left(told)


async def check_audit(
    session: ClientSession, notebook: Notebook, record: Record, random: Random
) -> None:
    """The routes of the audit show the same: each PIN in the search, each stream with its events."""
    found = await _verifications(session)
    created = [told.content["pinId"] for told in notebook.answered("create", 201)]

    assert set(created) <= found.keys()
    for told in notebook.answered("verify", 200):
        assert "VERIFIED" == found[told.content["pinId"]]["status"]
    for pin_id in random.sample(created, min(STREAMS_LOOKED_AT, len(created))):
        async with session.get(f"/admin/v1/streams/{pin_id}/events", headers=ADMIN) as answer:
            shown = [each["eventId"] for each in (await answer.json())["data"]]

        assert [each.event_id for each in record.log if each.stream == pin_id] == shown


async def check_attempts(session: ClientSession, notebook: Notebook, record: Record) -> None:
    """No PIN has more attempts left than its user was told last, and the next guess has fewer."""
    tried = 0
    for created in notebook.answered("create", 201):
        pin_id = created.content["pinId"]
        story = notebook.of_pin(pin_id)
        if any(told.kind == "resend" and not told.answered for told in story):
            continue  # it may have refilled them, and nobody was told
        told_last = [left for left in map(_left, story) if left is not None][-1]

        assert _row(record, pin_id).attempts_remaining <= told_last
        if _row(record, pin_id).status == "PENDING" and tried < STREAMS_LOOKED_AT:
            tried += 1
            path = f"/v1/pins/{pin_id}/verify"
            async with session.post(path, json={"pin": "wrong"}, headers=PINS) as answer:
                error = (await answer.json())["error"]

            assert error["code"] in ("pin_incorrect", "pin_blocked")
            assert error["details"].get("attemptsRemaining", -1) < told_last


async def check_replays(session: ClientSession, notebook: Notebook) -> None:
    """A saved answer is given again byte for byte, with its own request id."""
    keyed = [t for t in notebook.answered("create", 201, 502) if t.key is not None]
    for told in keyed:
        headers = PINS | {"Idempotency-Key": str(told.key)}
        async with session.post(told.path, json=told.body, headers=headers) as answer:
            again = (answer.status, await answer.read(), answer.headers["X-Request-Id"])

            assert (told.status, told.answer, told.request_id) == again
            assert "true" == answer.headers["Idempotent-Replayed"]


async def check_keys_in_flight(session: ClientSession, notebook: Notebook) -> None:
    """A key whose request died is free, answered, or free within its lease; never jammed (C-10)."""
    in_flight = [t for t in notebook.unanswered() if t.kind == "create" and t.key is not None]

    assert in_flight
    for told in in_flight:
        headers = PINS | {"Idempotency-Key": str(told.key)}
        async with session.post(told.path, json=told.body, headers=headers) as answer:
            content = await answer.json()
            seconds = int(answer.headers.get("Retry-After", 0))

        assert answer.status in (201, 502, 409)
        if answer.status == 409:
            assert "idempotency_in_progress" == content["error"]["code"]
            assert 1 <= seconds <= LEASE_SECONDS


async def check_limits(session: ClientSession, few: str, record: Record) -> None:
    """A send counted before the kill counts after it: each destination gets exactly its limit."""
    spent = Counter(
        each.event.destination
        for each in record.log
        if isinstance(each.event, PinIssued) and each.event.template_id == few
    )

    assert all(count <= FEW for count in spent.values())
    for destination, count in spent.most_common(3):
        body = {"destination": destination, "templateId": few}
        statuses = []
        for _ in range(FEW + 1):
            async with session.post("/v1/pins", json=body, headers=PINS) as answer:
                statuses.append(answer.status)

        assert [201] * (FEW - count) + [429] * (count + 1) == statuses


async def _verifications(session: ClientSession) -> dict[str, Any]:
    found: dict[str, Any] = {}
    page, pages = 1, 1
    while page <= pages:
        query = {"page": page, "pageSize": 100}
        async with session.get("/admin/v1/verifications", params=query, headers=ADMIN) as answer:
            listed = await answer.json()
        found |= {each["pinId"]: each for each in listed["data"]}
        page, pages = page + 1, listed["totalPages"]
    return found


def _row(record: Record, pin_id: str) -> Any:
    return record.rows[pin_id]


def _left(told: Told) -> int | None:
    """Give the attempts that an answer left, None where it does not say."""
    if not told.answered:
        return None
    content = json.loads(told.answer)
    left = content.get("attemptsRemaining")
    if left is None:
        left = content.get("error", {}).get("details", {}).get("attemptsRemaining")
    return left
