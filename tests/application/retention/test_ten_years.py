"""
Ten simulated years under a retention: the store stops growing, and what remains is proved (pass mark 7).

`WATCHWORD_RETENTION_PINS` is the number of PINs in each quarter, 12 unless it is set.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from tests.application.evidence.log_signer import LogSigner
from tests.application.house import House
from tests.application.post_office import message, send
from tests.application.retention.cellars import cellar, differences, prune
from tests.vaults import SHARED, new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.evidence.proving import Proving
from watchword.application.evidence.verifying_log import VerifyingLog
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.verify_evidence import Proof, check_inclusion, leaf_hash, open_checkpoint

PINS = int(os.environ.get("WATCHWORD_RETENTION_PINS", "12"))
YEARS, QUARTERS, DAYS = 10, 4, 91.25
SIGNER = LogSigner("cellar")
# What a pruning leaves: its own event and row, tiles, and heads.
_LEFT = ("prunings", "log_tiles", "log_heads")


async def no_keys(_stream: str) -> Mapping[int, bytes]:
    """Return no keys: no proof asks for one."""
    return {}


def rows_of(path: Path) -> dict[str, int]:
    """Count the rows of every table, and of the log those that are no prunings."""
    with closing(sqlite3.connect(path)) as connection:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name not in _LEFT
        ]
        counts = {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608  names of tables
            for name in names
        }
        ((prunings,),) = connection.execute(
            "SELECT count(*) FROM stored_events WHERE originator_id LIKE 'prn_%'"
        )
    return {**counts, "stored_events": counts["stored_events"] - prunings}


def bytes_of(path: Path) -> int:
    """Return the bytes of all events."""
    with closing(sqlite3.connect(path)) as connection:
        ((size,),) = connection.execute("SELECT sum(length(state)) FROM stored_events")
    return int(size)


def pages_of(path: Path) -> tuple[int, int]:
    """Return the pages of the file, and those of them that are free."""
    with closing(sqlite3.connect(path)) as connection:
        ((pages,),) = connection.execute("PRAGMA page_count")
        ((free,),) = connection.execute("PRAGMA freelist_count")
    return int(pages), int(free)


async def a_quarter(house: House) -> None:
    """Let a service work for three months: PINs and messages of a few people."""
    for number in range(PINS):
        request = IssueRequest(
            destination=f"+9198123456{number % 90 + 10}", template_id=house.template_id
        )
        sent = await house.service.issuing.issue(house.by, request)
        if number % 3:
            await house.service.verifying.verify(house.by, sent.pin_id, house.code())
    await send(house, *(message() for _ in range(max(PINS // 6, 1))))


async def proved(house: House) -> int:
    """Prove every stream that is left, and check the proofs as an auditor does; return how many there are."""
    proving = Proving(house.store.sealed_log, no_keys)
    raw = await house.store.sealed_log.raw_events(0, 1_000_000)
    head = await house.store.sealed_log.newest_head()
    assert head is not None
    sealed = {each.stream for each in raw} - {
        each.stream for each in raw if each.position > head.size
    }
    checked = 0
    for stream in sorted(sealed):
        for each in (await proving.prove(stream)).proofs:
            read = Proof.parse(each.proof)
            leaf = json.loads(read.extra)["leaf"].encode()
            signed = open_checkpoint(read.note, SIGNER.verifiers[:1])
            check_inclusion(read.index, signed.size, leaf_hash(leaf), signed.root, read.hashes)
            checked += 1
    return checked


async def test_ten_years_end_where_two_began(tmp_path: Path) -> None:
    """From the second year on, no table and no page is added; the audit, the tree and all proofs agree."""
    path = tmp_path / "store.db"
    store = await SqliteEventStore.open(path, vault=new_vault(SHARED))
    house = await cellar(store, pins="30d", messages="30d", events="180d")
    rows: list[dict[str, int]] = []
    sizes: list[int] = []
    for quarter in range(YEARS * QUARTERS):
        await a_quarter(house)
        await prune(house, DAYS, SIGNER)
        if quarter % QUARTERS == QUARTERS - 1:
            await store.scrub()
            rows.append(rows_of(path))
            sizes.append(bytes_of(path))

    verified = await VerifyingLog(house.service.journal).verify(SIGNER.verifiers)
    found = await differences(house)
    checked = await proved(house)
    await store.close()
    print(f"bytes in use by year: {sizes}; positions: {verified.sealed}; proofs: {checked}")  # noqa: T201  the measured numbers
    assert (0, ()) == (verified.total, found)
    assert verified.pruned > YEARS * QUARTERS * PINS
    for later in rows[2:]:
        assert rows[1] == later
    # The prunings themselves stay: four events a quarter, however much they took.
    assert sizes[-1] - sizes[1] < (YEARS - 2) * QUARTERS * 4 * 700
    # What became free was used again: most of the file would be free otherwise.
    pages, free = pages_of(path)
    assert free < pages / 2
    assert checked > 0
