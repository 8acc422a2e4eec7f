"""What a provider reports of an id that nobody knows yet is sealed, for it may be a number (C-22, C-73)."""

from __future__ import annotations

import base64
import sqlite3
from pathlib import Path

import pytest

from tests.entrypoints.caller import DESTINATION
from tests.entrypoints.conftest import listening
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings

WAMID = f"wamid.{base64.b64encode(DESTINATION.encode()).decode()}"


@pytest.mark.stores("sqlite")
async def test_a_parked_receipt_is_sealed_for_the_store(settings: Settings, tmp_path: Path) -> None:
    """Neither its event nor the subject that it holds has the id or the code, and both are found by it."""
    receipt = {"status": "FAILED", "providerMessageId": WAMID, "errorCode": DESTINATION}
    async with wired(settings) as service, listening(service) as caller:
        for _ in range(2):
            assert 200 == (await caller.post("/sandbox/receipts", receipt)).status
        log = (await caller.operated("GET", "/events?type=ReceiptParked"))["data"]
        kept = files(tmp_path)
        ((subject,),) = held(tmp_path)

    first, second = log
    assert first["streamId"] == second["streamId"]
    assert (WAMID, DESTINATION) == (first["data"]["providerMessageId"], first["data"]["errorCode"])
    assert subject.startswith("provider-message:")
    assert WAMID.encode() not in kept
    assert DESTINATION.encode() not in kept


def files(folder: Path) -> bytes:
    """Return what the store's files have."""
    return b"".join(each.read_bytes() for each in folder.glob("store.db*"))


def held(folder: Path) -> list[tuple[str]]:
    """Return the subjects that parked receipts hold."""
    with sqlite3.connect(folder / "store.db") as connection:
        return connection.execute(
            "SELECT subject FROM holders WHERE holder LIKE 'rcp_%'"
        ).fetchall()
