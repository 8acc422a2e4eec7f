"""Compare two heads of a log: the newer one must extend the older one (C-81)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

from ...verify_evidence import (
    Checkpoint,
    EvidenceError,
    Verifier,
    check_consistency,
    name_and_number,
    open_checkpoint,
)
from .origins import unverified_head

# Returns the hashes which prove that the tree of the second size begins with that of the first.
Prove = Callable[[int, int], Awaitable[Sequence[bytes]]]


def read_head(note: str, verifiers: Collection[Verifier]) -> Checkpoint:
    """
    Return the head in a note, which one of the keys must have signed; without keys, whatever it says.

    Raises `EvidenceError`.
    """
    if verifiers:
        return open_checkpoint(note, verifiers)
    return unverified_head(note) if "\n\n" in note else Checkpoint.parse(note)


async def check_extension(old: Checkpoint, new: Checkpoint, prove: Prove) -> None:
    """
    Check that nothing before `old` was changed by the time of `new`; raises `EvidenceError`.

    A restore begins a new origin of the same name. Heads that it declared lost are not extended.
    """
    if _name(old) != _name(new):
        raise EvidenceError(f"These are heads of two logs, {_name(old)} and {_name(new)}.")
    if old.size > new.size:
        raise EvidenceError(
            f"The newer head covers {new.size} events, and the older one {old.size}."
            " Name the older one first, or ask for what became of the end of the log."
        )
    hashes = await prove(old.size, new.size) if 0 < old.size < new.size else ()
    check_consistency(old.size, new.size, old.root, new.root, hashes)


def _name(head: Checkpoint) -> str:
    return name_and_number(head.origin)[0]
