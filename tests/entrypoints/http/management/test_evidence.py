"""Proofs of the log over HTTP: what the answers have, and what is refused (C-81, C-105)."""

from __future__ import annotations

import json
from base64 import b64decode

import pytest

from tests.entrypoints.caller import DESTINATION, Caller
from watchword.domain.log_history import LogKeyAdded
from watchword.entrypoints.wired import Wired
from watchword.verify_evidence import (
    Checkpoint,
    Verifier,
    check_consistency,
    check_proof,
    open_checkpoint,
)


async def keys_of(service: Wired) -> list[Verifier]:
    """Return the keys that verify the log of a service."""
    events = (each.event for each in await service.reading_log.stream("log_history"))
    return [Verifier.parse(each.log_key) for each in events if isinstance(each, LogKeyAdded)]


async def heads_of(caller: Caller, service: Wired) -> tuple[Checkpoint, Checkpoint]:
    """Return two heads, between which the log grew."""
    keys = await keys_of(service)
    notes: list[str] = []
    for _ in range(2):
        await caller.created(f"+91981234567{len(notes)}")
        notes.append((await caller.operated("POST", "/log/seal"))["note"])
    old, new = (open_checkpoint(each, keys) for each in notes)
    return old, new


async def test_the_evidence_of_a_stream_holds(caller: Caller, service: Wired) -> None:
    """One proof for each event, under one head; nothing personal is in it, and nothing had to be sealed."""
    pin_id = await caller.created()
    answer = await caller.operated("GET", f"/streams/{pin_id}/evidence")
    events = await caller.events(pin_id)
    keys = await keys_of(service)
    proven = [check_proof(each["proof"], keys) for each in answer["data"]]

    assert [{"position", "version", "type", "name", "proof"}] * len(events) == [
        set(each) for each in answer["data"]
    ]
    assert [
        (each["position"], each["version"], each["type"], f"{pin_id}-{each['version']}.tlog-proof")
        for each in events
    ] == [
        (each["position"], each["version"], each["type"], each["name"]) for each in answer["data"]
    ]
    assert [each["eventId"] for each in events] == [
        json.loads(each.open or "")["id"] for each in proven
    ]
    assert {None} == {each.personal for each in proven}
    assert DESTINATION not in json.dumps(answer)
    assert 1 == len({each.head for each in proven})


async def test_an_unknown_stream_has_no_evidence(caller: Caller) -> None:
    """404, as for its events."""
    reply = await caller.operate("GET", "/streams/pin_of_nobody/evidence")

    assert (404, "stream_not_found") == reply.refusal


async def test_a_newer_head_is_proved_to_extend_an_older_one(
    caller: Caller, service: Wired
) -> None:
    """The hashes lead to the roots of both heads."""
    await caller.created()
    await caller.operated("POST", "/log/seal")
    old, new = await heads_of(caller, service)
    answer = await caller.operated("GET", f"/log/consistency?from={old.size}&to={new.size}")
    hashes = [b64decode(each) for each in answer["proof"]]

    check_consistency(old.size, new.size, old.root, new.root, hashes)
    assert (old.size, new.size) == (answer["from"], answer["to"])
    assert {"from": 3, "to": 3, "proof": []} == await caller.operated(
        "GET", "/log/consistency?from=3&to=3"
    )


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "from"),
        ("from=1", "to"),
        ("from=tea&to=2", "from"),
        ("from=0&to=2", "from"),
        ("from=-1&to=2", "from"),
        ("from=3&to=2", "from"),
        ("from=1&to=999999999999999999999", "to"),
    ],
)
async def test_sizes_that_no_head_has_are_400(caller: Caller, query: str, field: str) -> None:
    """Unless 1 ≤ from ≤ to ≤ the size of the newest head."""
    await caller.operated("POST", "/log/seal")
    reply = await caller.operate("GET", f"/log/consistency?{query}")

    assert [field] == reply.wrong
