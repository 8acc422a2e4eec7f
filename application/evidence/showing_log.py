"""Shows how far the log is sealed, who signed its newest head, and the heads before that (C-81, C-105)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from attrs import frozen

from ...domain.log_history import LogHistory, LogKeyAdded
from ...verify_evidence import COSIGNATURE, EvidenceError, Verifier
from ..journal import Journal
from ..ports.sealed_log import Head
from ..records.log_history import LOG_HISTORY_STREAM
from .keeping_keys import log_history
from .note_signatures import NoteSignature, Signer, signatures_of, signed_at
from .reading_heads import MAX_HEADS
from .witnesses import Witness

# Beyond the size of every log, and the largest number that stores compare.
_ALL = 2**63 - 1


@frozen
class WitnessStanding:
    """A witness of the settings; `signed_at` is None as long as it has not signed the newest head."""

    name: str
    url: str
    signed_at: datetime | None


@frozen(kw_only=True)
class LogStanding:
    """
    How far the log is sealed: `events` are all there are, and `head` covers the first of them.

    `waiting_since` is the time of the oldest event that no head covers. `history` has the keys that sign.
    """

    head: Head | None
    events: int
    waiting_since: datetime | None
    signatures: Sequence[NoteSignature]
    witnesses: Sequence[WitnessStanding]
    history: LogHistory | None

    @property
    def waiting(self) -> int:
        """How many events no head covers yet."""
        return self.events - (0 if self.head is None else self.head.size)


class ShowingLog:
    """Reads the heads of the log; what witnesses signed is checked with the keys of the settings."""

    def __init__(self, journal: Journal, witnesses: Sequence[Witness] = ()) -> None:
        self._journal = journal
        self._witnesses = witnesses

    async def standing(self) -> LogStanding:
        """Return how far the log is sealed, and who signed its newest head."""
        head = await self._journal.sealed_log.newest_head()
        size = 0 if head is None else head.size
        events = max(size, await self._journal.newest())
        waiting = await self._journal.read_log(size, 1) if events > size else ()
        return LogStanding(
            head=head,
            events=events,
            waiting_since=waiting[0].event.at if waiting else None,
            signatures=() if head is None else await self._signatures(head.note),
            witnesses=[_standing(each, head) for each in self._witnesses],
            history=await log_history(self._journal),
        )

    async def heads(self, before: int | None, limit: int) -> Sequence[Head]:
        """Return the newest heads, of fewer than `before` events if that is given; at most 1,000."""
        size = _ALL if before is None else min(max(before, 0), _ALL)
        return await self._journal.sealed_log.heads_before(size, min(limit, MAX_HEADS))

    async def _signatures(self, note: str) -> Sequence[NoteSignature]:
        keys = await keys_of_log(self._journal)
        known = {key: Signer.CLOCK if key.kind == COSIGNATURE else Signer.LOG for key in keys}
        known |= dict.fromkeys((each.key for each in self._witnesses), Signer.WITNESS)
        return signatures_of(note, known)


async def keys_of_log(journal: Journal) -> Sequence[Verifier]:
    """Return all keys that ever signed for a log, as the log itself names them."""
    history = await journal.read_stream(LOG_HISTORY_STREAM)
    added = [each.event for each in history if isinstance(each.event, LogKeyAdded)]
    return list(dict.fromkeys(key for each in added for key in _keys(each)))


def _keys(added: LogKeyAdded) -> Iterator[Verifier]:
    for vkey in (added.log_key, added.clock_key):
        try:
            yield Verifier.parse(vkey)
        except EvidenceError:
            continue


def _standing(witness: Witness, head: Head | None) -> WitnessStanding:
    at = None if head is None else signed_at(head.note, witness.key)
    return WitnessStanding(witness.key.name, witness.url, at)
