"""The keys that may have signed a log's heads, and since when each of them is trusted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...domain.log_history import LogKeyAdded
from ...verify_evidence import (
    COSIGNATURE,
    ED25519,
    Checkpoint,
    EvidenceError,
    Verifier,
    open_checkpoint,
)
from ..ports.event_store import Recorded


class TrustedKeys:
    """
    Begins with the keys that the auditor gives, and goes on with those that the log itself adds.

    A key of the log is trusted once a head covers its `LogKeyAdded` that a trusted key signed (D-427).
    If the auditor gives none, all keys that the log names are trusted, which proves less.
    """

    def __init__(self, given: Sequence[Verifier], history: Iterable[Recorded]) -> None:
        self._added = [
            (each.position, key)
            for each in history
            if isinstance(each.event, LogKeyAdded)
            for key in _keys(each.event)
        ]
        self._given = frozenset(given)
        self._trusted = set(given) or {key for _, key in self._added}
        self._known = self._trusted | {key for _, key in self._added}

    def open(self, note: str) -> Checkpoint:
        """
        Return the head in a note that a key signed which the auditor or the log names.

        Raises `EvidenceError` if none did, or if no clock key signed its time.
        """
        head = open_checkpoint(note, self._known)
        if head.at is None and any(each.kind == COSIGNATURE for each in self._known):
            raise EvidenceError("No clock key that is known signed its time.")
        return head

    def signed(self, note: str) -> bool:
        """Return whether a key signed a note that is trusted by now."""
        if self._known == self._trusted:
            return True
        try:
            open_checkpoint(note, self._trusted)
        except EvidenceError:
            return False
        return True

    @property
    def added(self) -> Sequence[tuple[int, Verifier]]:
        """The log's keys that are trusted because the log added them, with the positions where it did."""
        return [
            (position, key)
            for position, key in self._added
            if key.kind == ED25519 and key in self._trusted - self._given
        ]

    def vouched(self, size: int) -> None:
        """Trust the keys that were added in the first `size` events, which a trusted head covers."""
        self._trusted |= {key for position, key in self._added if position <= size}


def _keys(added: LogKeyAdded) -> list[Verifier]:
    try:
        return [Verifier.parse(added.log_key), Verifier.parse(added.clock_key)]
    except EvidenceError:
        return []
