"""Heads that leave the machine: callback endpoints of operators, and witnesses (C-105)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import watchword
from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE, Serving, listening
from tests.entrypoints.receiving import Receiver
from tests.log_keys import LOG_KEY, LOG_NAME, LOG_VKEY
from tests.witness import witness
from watchword.entrypoints.composition.bootstrap import auditing, wired
from watchword.entrypoints.settings import Settings
from watchword.verify_evidence import Verifier, open_checkpoint, open_note

STORES = EVERY_STORE


async def operators(caller: Caller, receiver: Receiver) -> dict[str, Any]:
    """Make an endpoint of operators, and return its record."""
    body = {"url": receiver.url, "events": ["log.*"]}
    return dict(await caller.operated("POST", "/callbacks", body))


@pytest.mark.stores("sqlite", "postgresql")
async def test_a_head_is_told_signed_and_the_audit_agrees(
    settings: Settings, receiver: Receiver
) -> None:
    """The delivery is signed with the endpoint's secret, listed with it, and no difference to an audit."""
    private = evolve(settings, allow_private_urls=True, log_key=LOG_KEY)
    async with wired(private) as service, listening(service) as caller:
        made = await operators(caller, receiver)
        head = await caller.operated("POST", "/log/seal")
        await caller.advance(1)
        came, *_ = await receiver.until(1)
        await caller.advance(1)
        listed = await caller.operated("GET", f"/callbacks/{made['id']}/deliveries")
        every = await caller.operated("GET", "/callbacks")
        of_demo = await caller.operated("GET", "/callbacks?account=demo")
    async with auditing(private, to_check=True) as reader:
        checked = await reader.check()
    said = came.verified(made["secret"])

    assert made["accountId"] is None
    assert ("log.head", head) == (said["type"], said["data"])
    assert head["at"] == said["timestamp"]
    assert head["size"] == open_checkpoint(said["data"]["note"], [Verifier.parse(LOG_VKEY)]).size
    assert [("delivered", "log.head", f"head_{head['size']}")] == [
        (each["status"], each["type"], each["eventId"]) for each in listed["data"]
    ]
    assert [made["id"]] == [each["id"] for each in every["data"]]
    assert [] == of_demo["data"]
    assert () == tuple(checked.differences)


async def test_the_checkpoint_shows_what_witnesses_signed(serving: Serving) -> None:
    """A head that is sealed is cosigned with the next due work, and so is each that follows it."""
    async with witness() as oak:
        oak.logs[f"{LOG_NAME}/1"] = [Verifier.parse(LOG_VKEY)]
        cosigned = serving(log_key=LOG_KEY, witnesses=(oak.setting,), allow_private_urls=True)
        async with cosigned as caller:
            notes = []
            for _ in range(2):
                await caller.created()
                await caller.operated("POST", "/log/seal")
                await caller.advance(1)
                notes.append((await caller.operate("GET", "/log/checkpoint")).body.decode())
        sizes = [open_checkpoint(each, [Verifier.parse(LOG_VKEY)]).size for each in notes]

    assert sizes[0] < sizes[1]
    assert sizes[1] == oak.heads[f"{LOG_NAME}/1"][0]
    assert all(open_note(each, [oak.verifier]) for each in notes)


async def test_heads_are_not_for_accounts(caller: Caller) -> None:
    """With an account the patterns of the log are refused by their places, and without one all others."""
    url = {"url": "https://192.0.43.8/heads"}
    with_account = await caller.operate(
        "POST", "/callbacks", {**url, "account": "demo", "events": ["log.*"]}
    )
    mixed = await caller.operate("POST", "/callbacks", {**url, "events": ["pin.*", "log.head"]})

    misspelt = await caller.operate("POST", "/callbacks", {**url, "events": ["log.hea"]})

    assert (["events[0]"], ["events[0]"]) == (with_account.wrong, mixed.wrong)
    assert mixed.wrong == misspelt.wrong
    assert (
        "must be one of log.*, log.head"
        == misspelt.json["error"]["details"]["fields"][0]["message"]
    )


async def test_embedders_have_endpoints_of_operators(tmp_path: Path) -> None:
    """`account=None` is for the patterns of the log alone."""
    async with watchword.open(f"sqlite:///{tmp_path / 'watchword.db'}") as service:
        made = await service.callbacks.create(None, "https://192.0.43.8/heads", ["log.*"])
        with pytest.raises(watchword.DomainError):
            await service.callbacks.create(None, "https://192.0.43.8/heads", ["pin.*"])
        removed = await service.callbacks.remove(made)

    assert made.account_id is None
    assert removed.removed_at is not None
