"""Return the leaf of a stored event: a hash over the exact bytes of its three lines."""

from __future__ import annotations

from collections.abc import Sequence

from ...verify_evidence import digest, hash_of, leaf_hash, leaf_text
from ..ports.sealed_log import LogDamaged, RawEvent

# No sealed text begins so, because base64 has no tilde.
_BLANKED = b"~"


def blanked(line: bytes) -> bytes:
    """Return what stands for a sealed line once its retention is over; a blanked line stays (D-453)."""
    return line if not line or is_blanked(line) else _BLANKED + digest(line).encode()


def is_blanked(line: bytes) -> bool:
    """Return whether a sealed line was blanked; raises `ValueError` if its digest is damaged."""
    if not line.startswith(_BLANKED):
        return False
    hash_of(line[len(_BLANKED) :].decode("ascii"))
    return True


def sealed_digest(line: bytes) -> str:
    """Return the digest of a sealed line, as its leaf has it; of a blanked line, the one that it keeps."""
    return line[len(_BLANKED) :].decode("ascii") if is_blanked(line) else digest(line)


def event_leaf(raw: RawEvent, position: int | None = None) -> bytes:
    """Return the hash of an event's leaf, as if it stood at `position`; raises `LogDamaged`."""
    return leaf_hash(event_leaf_text(raw, position))


def event_leaf_text(raw: RawEvent, position: int | None = None) -> bytes:
    """
    Return the text of an event's leaf, as if it stood at `position`.

    Raises `LogDamaged` for an event in a form that this service never wrote.
    """
    lines = raw.state.split(b"\n")
    try:
        opened, sealed, secret = lines
        digests = digest(opened), sealed_digest(sealed), digest(secret)
    except ValueError:
        text = f"Event {raw.position} does not have the three lines of an event."
        raise LogDamaged(raw.position, text) from None
    at = raw.position if position is None else position
    return leaf_text(at, raw.stream, raw.version, raw.topic, *digests)


def check_positions(size: int, events: Sequence[RawEvent]) -> None:
    """Raise `LogDamaged` unless the positions of `events` go on behind `size`, without a gap."""
    for position, event in enumerate(events, size + 1):
        if event.position != position:
            raise LogDamaged(position, f"Position {position} of the log is empty.")
