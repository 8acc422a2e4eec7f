"""What the store has of Idempotency-Keys opens no answer, and every node repeats it (C-10, C-73, D-330)."""

from __future__ import annotations

import base64
import sqlite3
from pathlib import Path

import pytest
from attrs import evolve

from tests.entrypoints.caller import DESTINATION
from tests.entrypoints.conftest import listening
from tests.entrypoints.http.pins.test_idempotency import replays
from tests.entrypoints.messaging.sends import SMS
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.saved_answers import read_answer
from watchword.entrypoints.settings import Settings

STORES = ("sqlite", "postgresql")
OLD = f"1:{base64.b64encode(b'o' * 32).decode()}"
NEW = f"2:{base64.b64encode(b'n' * 32).decode()}"
# A client may make its keys of numbers.
KEY = f"order-7-{DESTINATION}"


async def test_another_node_repeats_an_answer_after_a_rotation(settings: Settings) -> None:
    """The scope does not move with the code key, and both live versions open their answers."""
    before = evolve(settings, code_key=OLD)
    async with wired(before) as service, listening(service) as caller:
        created = await caller.create(once=KEY)
        sent = await caller.send(once=KEY, sms=[SMS])
    during = evolve(settings, code_key=f"{NEW},{OLD}")
    async with wired(during) as service, listening(service) as caller:
        replays(created, await caller.create(once=KEY))
        replays(sent, await caller.send(once=KEY, sms=[SMS]))
        newer = await caller.create(once="newer")
        replays(newer, await caller.create(once="newer"))


@pytest.mark.stores("sqlite")
async def test_the_file_has_neither_key_nor_answer(settings: Settings, tmp_path: Path) -> None:
    """Not in the database, and not in what is written ahead of it."""
    async with wired(settings) as service, listening(service) as caller:
        await caller.create(once=KEY)
        await caller.send(once=KEY, sms=[SMS])
        kept = files(tmp_path)
        saved = answers(tmp_path)

    assert KEY.encode() not in kept
    assert len(saved) == 2
    for scope, answer in saved:
        assert KEY not in scope
        assert b"status" not in answer
        assert read_answer(answer) is not None


@pytest.mark.stores("sqlite")
@pytest.mark.parametrize(
    ("part", "other"), [("pin_", "pin_0"), ("\n1:", "\n9:"), ("\n1:", "\n1:A")]
)
async def test_a_changed_answer_is_not_repeated(
    settings: Settings, tmp_path: Path, part: str, other: str
) -> None:
    """It is an error of ours, and nothing is sent a second time."""
    async with wired(settings) as service, listening(service) as caller:
        await caller.create(once=KEY)
        change = "UPDATE idempotency_keys SET answer = CAST(replace(answer, ?, ?) AS BLOB)"
        with sqlite3.connect(tmp_path / "store.db") as connection:
            connection.execute(change, (part, other))
        again = await caller.create(once=KEY)

        assert (500, "internal_error") == again.refusal
        assert 1 == len(await caller.outbox())


def files(folder: Path) -> bytes:
    """Return what the store's files have."""
    return b"".join(each.read_bytes() for each in folder.glob("store.db*"))


def answers(folder: Path) -> list[tuple[str, bytes]]:
    """Return the scopes and the saved answers in the file."""
    with sqlite3.connect(folder / "store.db") as connection:
        return connection.execute("SELECT scope, answer FROM idempotency_keys").fetchall()
