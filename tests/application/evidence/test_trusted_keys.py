"""The keys of a log through their rotation, as the check of a store trusts them (D-427)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.application.evidence.log_signer import LogSigner
from tests.application.evidence.sealed_files import grow, seal
from tests.contracts.event_store.histories import NOON, step
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.evidence.tree import root, root_tiles
from watchword.application.evidence.verifying_log import Verified, VerifyingLog
from watchword.application.journal import Journal, change
from watchword.application.records.log_history import LOG_HISTORY_STREAM
from watchword.domain.log_history import (
    LogKeyAdded,
    StoreRestored,
    add_key,
    declare_restored,
    log_history_decider,
)
from watchword.verify_evidence import Verifier

OLD, NEW, STRANGER = LogSigner(seed="spade"), LogSigner(seed="rake"), LogSigner(seed="weeds")


@pytest.fixture
def store() -> MemoryEventStore:
    """Return an empty store."""
    return MemoryEventStore(vault=new_vault())


async def add(store: MemoryEventStore, signer: LogSigner) -> None:
    """Append that a key signs heads from now on."""
    log_key, clock_key = (each.vkey for each in signer.verifiers)
    added = LogKeyAdded(at=NOON, log_key=log_key, clock_key=clock_key)
    loaded = await store.load(log_history_decider, LOG_HISTORY_STREAM)
    decision = add_key(None if loaded is None else loaded.state, added)
    await store.append(step(change(log_history_decider, LOG_HISTORY_STREAM, loaded, decision)))


async def verified(store: MemoryEventStore, keys: Sequence[Verifier]) -> Verified:
    """Verify a store with some keys."""
    return await VerifyingLog(Journal(store)).verify(keys)


async def rotated(store: MemoryEventStore, *, by: LogSigner) -> None:
    """Let the new key follow the old one; `by` signs the head that covers it."""
    await add(store, OLD)
    await grow(store, 0, 10)
    await seal(store, OLD)
    await add(store, NEW)
    await seal(store, by)
    await grow(store, 10, 20)
    await seal(store, NEW)


@pytest.mark.parametrize("signer", [OLD, NEW])
async def test_a_rotation_needs_one_key_of_the_auditor(
    store: MemoryEventStore, signer: LogSigner
) -> None:
    """The first key vouches for the later one, and the newest head for those before it."""
    await rotated(store, by=OLD)

    result = await verified(store, signer.verifiers[:1])

    assert () == result.findings
    assert [(1 if signer is NEW else 12, (OLD if signer is NEW else NEW).verifiers[0])] == [
        *result.added_keys
    ]
    assert 22 == (result.covered and result.covered.size)


async def test_a_key_that_no_trusted_head_covers_is_found(store: MemoryEventStore) -> None:
    """A key that only its own heads vouch for may be anybody's."""
    await rotated(store, by=NEW)

    result = await verified(store, OLD.verifiers)

    assert [(12, "signature"), (22, "signature")] == [
        (each.position, each.kind) for each in result.findings
    ]
    assert 11 == (result.covered and result.covered.size)


async def test_without_a_key_those_of_the_log_are_trusted(store: MemoryEventStore) -> None:
    """That finds what was edited without a key; the answer names the keys that nobody gave."""
    await rotated(store, by=NEW)

    result = await verified(store, ())

    assert () == result.findings
    assert [(1, OLD.verifiers[0]), (12, NEW.verifiers[0])] == [*result.added_keys]


async def test_heads_of_a_stranger_are_found(store: MemoryEventStore) -> None:
    """No head that the auditor's key signed is left."""
    await add(store, OLD)
    await seal(store, STRANGER)

    result = await verified(store, OLD.verifiers)

    assert [(1, "signature")] == [(each.position, each.kind) for each in result.findings]
    assert result.covered is None


async def test_tiles_without_any_head_are_found(store: MemoryEventStore) -> None:
    """Whoever deletes all heads leaves nothing that a key vouches for."""
    await grow(store, 0, 10)
    await store.sealed_log.extend(10)

    result = await verified(store, OLD.verifiers)

    assert [(1, "head")] == [(each.position, each.kind) for each in result.findings]


async def test_a_head_without_a_signed_time_is_found(store: MemoryEventStore) -> None:
    """The log's clock signs every head, too."""
    await grow(store, 0, 10)
    await seal(store, OLD)
    head = await store.sealed_log.newest_head()
    assert head is not None
    *lines, _ = head.note.splitlines(keepends=True)

    result = await VerifyingLog(Journal(store)).verify(OLD.verifiers, ["".join(lines)])

    assert [(10, "signature")] == [(each.position, each.kind) for each in result.findings]


async def test_a_head_that_a_restore_lost_is_found(store: MemoryEventStore) -> None:
    """It covers more than the backup had; a head within the backup still holds."""
    await add(store, OLD)
    await grow(store, 0, 10)
    await seal(store, OLD)
    within = await store.sealed_log.newest_head()
    assert within is not None
    lost = OLD.head(50, b"r" * 32, NOON)
    restored = StoreRestored(
        at=NOON,
        number=2,
        lost_origin=lost.origin,
        lost_size=lost.size,
        lost_root="",
        kept_size=11,
        kept_root="",
    )
    loaded = await store.load(log_history_decider, LOG_HISTORY_STREAM)
    assert loaded is not None
    decision = declare_restored(loaded.state, restored)
    await store.append(step(change(log_history_decider, LOG_HISTORY_STREAM, loaded, decision)))
    await grow(store, 10, 60)
    size = await store.sealed_log.extend(100)
    top = root(size, await store.sealed_log.tiles(root_tiles(size)))
    await store.sealed_log.keep_head(OLD.head(size, top, NOON, number=2))

    result = await VerifyingLog(Journal(store)).verify(OLD.verifiers, [within.note, lost.note])

    assert [(50, "lost")] == [(each.position, each.kind) for each in result.findings]
    assert result.covered is not None
    assert ("garden/2", 62) == (result.covered.origin, result.covered.size)
