"""Callback endpoints of operators over HTTP: without an account, and for the log alone (C-105)."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve

import watchword
from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.receiving import Receiver
from watchword.application.ports.sealed_log import Head
from watchword.entrypoints.composition.bootstrap import auditing, wired
from watchword.entrypoints.settings import Settings


async def operators(caller: Caller, receiver: Receiver) -> dict[str, object]:
    """Make an endpoint of operators, and return its record."""
    body = {"url": receiver.url, "events": ["log.*"]}
    return dict(await caller.operated("POST", "/callbacks", body))


@pytest.mark.stores("sqlite", "postgresql")
async def test_a_head_is_told_signed_and_the_audit_agrees(
    settings: Settings, receiver: Receiver
) -> None:
    """The delivery is signed with the endpoint's secret, listed with it, and no difference to an audit."""
    private = evolve(settings, allow_private_urls=True)
    async with wired(private) as service, listening(service) as caller:
        made = await operators(caller, receiver)
        size = await service.journal.newest()
        await service.journal.sealed_log.keep_head(
            Head(
                "watchword-tea/1",
                size,
                b"r" * 32,
                datetime.now(UTC).replace(microsecond=0),
                "note\n",
            )
        )
        await caller.advance(1)
        (came,) = await receiver.until(1)
        await caller.advance(1)
        listed = await caller.operated("GET", f"/callbacks/{made['id']}/deliveries")
        every = await caller.operated("GET", "/callbacks")
        of_demo = await caller.operated("GET", "/callbacks?account=demo")
    async with auditing(private, to_check=True) as reader:
        checked = await reader.check()

    assert made["accountId"] is None
    said = came.verified(str(made["secret"]))
    assert ("log.head", size, "note\n") == (
        said["type"],
        said["data"]["size"],
        said["data"]["note"],
    )
    assert [("delivered", "log.head")] == [
        (each["status"], each["type"]) for each in listed["data"]
    ]
    assert [made["id"]] == [each["id"] for each in every["data"]]
    assert [] == of_demo["data"]
    assert () == tuple(checked.differences)


async def test_heads_are_not_for_accounts(caller: Caller, receiver: Receiver) -> None:
    """With an account, or beside other types, the patterns of the log are refused by their places."""
    url = {"url": "https://192.0.43.8/heads"}
    with_account = await caller.operate(
        "POST", "/callbacks", {**url, "account": "demo", "events": ["log.*"]}
    )
    mixed = await caller.operate("POST", "/callbacks", {**url, "events": ["pin.*", "log.head"]})

    assert (["events[0]"], ["events[1]"]) == (with_account.wrong, mixed.wrong)


async def test_embedders_have_endpoints_of_operators(tmp_path: Path) -> None:
    """`account=None` is for the patterns of the log alone."""
    async with watchword.open(f"sqlite:///{tmp_path / 'watchword.db'}") as service:
        made = await service.callbacks.create(None, "https://192.0.43.8/heads", ["log.*"])
        with pytest.raises(watchword.DomainError):
            await service.callbacks.create(None, "https://192.0.43.8/heads", ["pin.*"])
        removed = await service.callbacks.remove(made)

    assert made.account_id is None
    assert removed.removed_at is not None
