"""Two heads of a log are compared; whoever hands over the hashes is not believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.contracts.event_store.histories import FERN, grown, step
from tests.signed_heads import NAME, VERIFIER, seal, signed
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.evidence.extending import Prove, check_extension, read_head
from watchword.application.evidence.proving import Proving
from watchword.verify_evidence import Checkpoint, EvidenceError

MANY = 300


async def two_heads() -> tuple[Checkpoint, Checkpoint, Prove]:
    """Return the heads of a log before and after it grew, and what proves them."""
    store = MemoryEventStore(vault=new_vault())
    await store.append(step(grown(FERN, by=MANY)))
    old = await seal(store.sealed_log)
    await store.append(step(grown(FERN, at=MANY, by=MANY)))
    new = await seal(store.sealed_log)
    proving = Proving(store.sealed_log, no_keys)

    async def prove(was: int, now: int) -> Sequence[bytes]:
        return (await proving.consistency(was, now)).hashes

    return read_head(old.note, [VERIFIER]), read_head(new.note, [VERIFIER]), prove


async def no_keys(_stream: str) -> Mapping[int, bytes]:
    """Return no keys of events, which heads do not need."""
    return {}


async def never(_old: int, _new: int) -> Sequence[bytes]:
    """Fail: no proof is needed."""
    raise AssertionError


async def test_a_log_that_grew_extends_its_older_head() -> None:
    """Also across a restore, which begins a new origin, and beside itself."""
    old, new, prove = await two_heads()
    await check_extension(old, new, prove)
    await check_extension(old, new._replace(origin=f"{NAME}/2"), prove)
    await check_extension(new, new, never)

    assert (MANY, 2 * MANY) == (old.size, new.size)


async def test_every_log_extends_the_empty_one() -> None:
    """No proof is asked for."""
    _, new, _ = await two_heads()
    empty = Checkpoint.parse(f"{NAME}/1\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n")

    await check_extension(empty, new, never)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"root": bytes(32)}, "does not extend"),
        ({"size": MANY - 1}, "does not extend"),
        ({"size": 3 * MANY}, "The newer head covers"),
        ({"size": 2 * MANY}, "disagree"),
        ({"origin": "meadow/1"}, "two logs"),
    ],
)
async def test_another_history_does_not_extend_the_head(change: dict[str, Any], said: str) -> None:
    """Whatever differs from what was signed is said."""
    old, new, prove = await two_heads()
    with pytest.raises(EvidenceError, match=said):
        await check_extension(old._replace(**change), new, prove)


async def test_hashes_of_another_log_prove_nothing() -> None:
    """A store that makes up a proof is found out."""
    old, new, prove = await two_heads()

    async def made_up(was: int, now: int) -> Sequence[bytes]:
        return [bytes(32) for _ in await prove(was, now)]

    with pytest.raises(EvidenceError, match="does not extend"):
        await check_extension(old, new, made_up)


def test_a_head_is_read_with_keys_or_without() -> None:
    """With a key, a note that it did not sign is refused; without one, nothing is known of the signer."""
    head = Checkpoint(f"{NAME}/1", 7, bytes(32))
    note = signed(head)
    other = note.replace("\n7\n", "\n8\n")

    assert head == read_head(note, [VERIFIER])
    assert head._replace(size=8) == read_head(other, [])
    with pytest.raises(EvidenceError, match="signature"):
        read_head(other, [VERIFIER])
