"""What a provider reports of an id that nobody knows yet is sealed, for it may be a number (C-22, C-73)."""

from __future__ import annotations

import base64
import sqlite3
from pathlib import Path

import pytest

from tests.entrypoints.caller import DESTINATION
from tests.entrypoints.conftest import listening
from watchword.domain.event import ERASED
from watchword.entrypoints.composition.bootstrap import auditing, wired
from watchword.entrypoints.settings import Settings

DAY = 24 * 60 * 60
WAMID = f"wamid.{base64.b64encode(DESTINATION.encode()).decode()}"


@pytest.mark.stores("sqlite")
async def test_parked_receipts_are_sealed_and_then_erased(
    settings: Settings, tmp_path: Path
) -> None:
    """Neither the events nor the held subject have the id or the code; after a day no key opens them."""
    receipt = {"status": "FAILED", "providerMessageId": WAMID, "errorCode": DESTINATION}
    async with wired(settings) as service, listening(service) as caller:
        for _ in range(2):
            assert 200 == (await caller.post("/sandbox/receipts", receipt)).status
        log = (await caller.operated("GET", "/events?type=ReceiptParked"))["data"]
        kept, sealing = files(tmp_path), keys(tmp_path)
        ((subject,),) = held(tmp_path)
        assert 200 == (await caller.post("/sandbox/clock/advance", {"seconds": DAY})).status
        later = (await caller.operated("GET", "/events?type=ReceiptParked"))["data"]
    async with auditing(settings, to_check=True) as reader:
        checked = await reader.check()

    first, second = log
    assert first["streamId"] == second["streamId"]
    assert (WAMID, DESTINATION) == (first["data"]["providerMessageId"], first["data"]["errorCode"])
    assert subject.startswith("provider-message:")
    assert WAMID.encode() not in kept
    assert DESTINATION.encode() not in kept
    assert [(first["streamId"],)] == sealing
    assert ([], []) == (keys(tmp_path), held(tmp_path))
    assert [(ERASED, ERASED)] * 2 == [
        (each["data"]["providerMessageId"], each["data"]["errorCode"]) for each in later
    ]
    assert () == checked.differences


def files(folder: Path) -> bytes:
    """Return what the store's files have."""
    return b"".join(each.read_bytes() for each in folder.glob("store.db*"))


def keys(folder: Path) -> list[tuple[str]]:
    """Return the names of the keys of parked receipts."""
    with sqlite3.connect(folder / "store.db") as connection:
        return connection.execute("SELECT name FROM seal_keys WHERE name LIKE 'rcp_%'").fetchall()


def held(folder: Path) -> list[tuple[str]]:
    """Return the subjects that parked receipts hold."""
    with sqlite3.connect(folder / "store.db") as connection:
        return connection.execute(
            "SELECT subject FROM holders WHERE holder LIKE 'rcp_%'"
        ).fetchall()
