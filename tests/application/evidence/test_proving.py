"""Proofs that events are in the log: each is checked by the module that auditors have."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tests.contracts.event_store.histories import FERN, MOSS, ORCHID, grown, step
from tests.signed_heads import VERIFIER, seal
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.audit.disclosing import EventKeyUnavailableError
from watchword.application.errors import StreamNotFoundError
from watchword.application.evidence.errors import LogDamagedError, NotSealedError
from watchword.application.evidence.proving import (
    Disclosure,
    EventProof,
    Proving,
    proof_name,
)
from watchword.application.evidence.tree import root, root_tiles
from watchword.application.ports.event_store import EventStore
from watchword.domain.errors import ValidationFailedError
from watchword.verify_evidence import (
    Proof,
    check_consistency,
    check_inclusion,
    digest,
    leaf_hash,
    open_checkpoint,
)

# Two full tiles of leaves, and a part of a third.
MANY = 600


async def no_keys(_stream: str) -> Mapping[int, bytes]:
    """Refuse the keys of events, as a store does whose code key is not at hand."""
    raise EventKeyUnavailableError


async def fill(store: EventStore) -> None:
    """Write two events of a key among many others of another one."""
    await store.append(step(grown(ORCHID)))
    await store.append(step(grown(FERN, by=MANY)))
    await store.append(step(grown(ORCHID, at=1)))


def checked(proof: EventProof) -> dict[str, str]:
    """Check a proof as an auditor does; return what it says of the event."""
    read = Proof.parse(proof.proof)
    extra: dict[str, str] = json.loads(read.extra)
    leaf = extra["leaf"].encode()
    head = open_checkpoint(read.note, [VERIFIER])
    check_inclusion(read.index, head.size, leaf_hash(leaf), head.root, read.hashes)
    assert proof.position == read.index + 1
    return extra


async def test_every_event_of_a_stream_is_proved(store: EventStore) -> None:
    """Each proof leads from the event to the signed head, and says what everybody may read (C-105)."""
    await fill(store)
    head = await seal(store.sealed_log)
    evidence = await Proving(store.sealed_log, no_keys).prove(ORCHID)
    raw = await store.sealed_log.raw_stream(ORCHID)

    assert (ORCHID, head) == (evidence.stream, await store.sealed_log.newest_head())
    assert [(1, 1, "ApiKeyCreated"), (MANY + 2, 2, "ApiKeyUsed")] == [
        (each.position, each.version, each.type) for each in evidence.proofs
    ]
    for proof, event in zip(evidence.proofs, raw, strict=True):
        opened, sealed, secret = event.state.split(b"\n")
        extra = checked(proof)
        assert {"leaf", "open"} == set(extra)
        assert opened.decode() == extra["open"]
        assert (
            "watchword.event/1\n"
            f"{event.position} {ORCHID} {event.version} {event.topic}\n"
            f"{digest(opened)} {digest(sealed)} {digest(secret)}\n"
        ) == extra["leaf"]


async def test_hashes_are_disclosed_on_request(store: EventStore) -> None:
    """The secret line stands in a proof if it is asked for, and only then (D-438)."""
    await fill(store)
    await seal(store.sealed_log)
    proving = Proving(store.sealed_log, no_keys)
    event, *_ = await store.sealed_log.raw_stream(ORCHID)
    by_default = await proving.prove(ORCHID)
    on_request = await proving.prove(ORCHID, [Disclosure.SECRET])

    assert {"leaf", "open"} == set(checked(by_default.proofs[0]))
    assert event.state.split(b"\n")[2].decode() == checked(on_request.proofs[0])["secret"]
    assert b"hash of" in event.state


async def test_what_no_head_covers_is_sealed_first(store: EventStore) -> None:
    """A service seals it; a store that is only read refuses, and says `audit seal`."""
    await fill(store)
    log = store.sealed_log
    await seal(log)
    await store.append(step(grown(ORCHID, at=2)))
    with pytest.raises(NotSealedError, match="audit seal"):
        await Proving(log, no_keys).prove(ORCHID)
    evidence = await Proving(log, no_keys, lambda: seal(log)).prove(ORCHID)

    assert MANY + 3 == evidence.head.size
    assert [1, 2, 3] == [each.version for each in evidence.proofs]


async def test_a_node_that_cannot_seal_proves_nothing(store: EventStore) -> None:
    """If nothing is signed although it was asked for, as after a fork, no proof is made."""

    async def nothing() -> None:
        """Sign no head."""

    await fill(store)
    with pytest.raises(NotSealedError):
        await Proving(store.sealed_log, no_keys, nothing).prove(FERN)


async def test_an_unknown_id_is_refused(store: EventStore) -> None:
    """The refusal is that of histories."""
    with pytest.raises(StreamNotFoundError):
        await Proving(store.sealed_log, no_keys).prove(MOSS)


async def test_a_key_that_is_not_at_hand_makes_no_proof(store: EventStore) -> None:
    """No file lacks what was asked for."""
    await fill(store)
    await seal(store.sealed_log)
    with pytest.raises(EventKeyUnavailableError):
        await Proving(store.sealed_log, no_keys).prove(ORCHID, [Disclosure.EVENT_KEY])


async def test_an_altered_event_is_not_proved(tmp_path: Path) -> None:
    """The position is named, instead of a proof that does not hold."""
    file = tmp_path / "store.db"
    store = await SqliteEventStore.open(file, vault=new_vault())
    await fill(store)
    await seal(store.sealed_log)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'gardener', 'stranger')"
            " AS BLOB) WHERE position = ?",
            (MANY + 2,),
        )
    with pytest.raises(LogDamagedError) as damage:
        await Proving(store.sealed_log, no_keys).prove(ORCHID)
    await store.close()

    assert MANY + 2 == damage.value.details["position"]


@pytest.mark.parametrize("moved", [-1, 9_999])
async def test_an_event_at_another_position_is_not_proved(tmp_path: Path, moved: int) -> None:
    """Before the log, or behind what could be sealed: nothing is proved, and nothing fails."""
    file = tmp_path / "store.db"
    store = await SqliteEventStore.open(file, vault=new_vault())
    await fill(store)
    await seal(store.sealed_log)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE stored_events SET position = ? WHERE position = 1", (moved,))
    with pytest.raises((LogDamagedError, NotSealedError)):
        await Proving(store.sealed_log, no_keys).prove(ORCHID)
    await store.close()


@pytest.mark.parametrize(("old", "size"), [(1, 1), (1, 602), (256, 600), (300, 601), (602, 602)])
async def test_a_newer_head_is_shown_to_extend_an_older_one(
    store: EventStore, old: int, size: int
) -> None:
    """The hashes lead to both roots."""
    await fill(store)
    await seal(log := store.sealed_log)
    was, now = [root(each, await log.tiles(root_tiles(each))) for each in (old, size)]
    proved = await Proving(log, no_keys).consistency(old, size)

    check_consistency(old, size, was, now, proved.hashes)
    assert (old, size) == (proved.old, proved.size)


@pytest.mark.parametrize(
    ("old", "size", "field"), [(0, 5, "from"), (6, 5, "from"), (1, 603, "to"), (1, 0, "to")]
)
async def test_sizes_that_no_head_has_are_refused(
    store: EventStore, old: int, size: int, field: str
) -> None:
    """Unless 1 ≤ from ≤ to ≤ the size of the newest head (C-105)."""
    await fill(store)
    await seal(store.sealed_log)
    with pytest.raises(ValidationFailedError) as refused:
        await Proving(store.sealed_log, no_keys).consistency(old, size)

    assert [field] == [each.field for each in refused.value.problems]


async def test_before_the_first_head_every_size_is_refused(store: EventStore) -> None:
    """The refusal names no range, as there is none."""
    await fill(store)
    with pytest.raises(ValidationFailedError) as refused:
        await Proving(store.sealed_log, no_keys).consistency(1, 1)

    assert [("to", "covers nothing yet: no head was signed")] == [
        (each.field, each.message) for each in refused.value.problems
    ]


def test_a_proof_is_named_by_its_event() -> None:
    """An id from elsewhere cannot lead out of the folder."""
    assert "pin_7hq2w-3.tlog-proof" == proof_name("pin_7hq2w", 3)
    assert "..%2F..%2Fetc%2Fpasswd-1.tlog-proof" == proof_name("../../etc/passwd", 1)
