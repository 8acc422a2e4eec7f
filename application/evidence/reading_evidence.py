"""Read the log together with what its leaves are made of, for an export that proves itself (C-82)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ...verify_evidence import digest
from ..journal import Journal
from ..ports.event_store import Recorded
from ..ports.sealed_log import LogDamaged, RawEvent
from .leaves import event_leaf, sealed_digest
from .sealed_leaves import leaves_at

_EVENTS = 1000


@frozen
class EvidentEvent:
    """An event, its topic and its open line as they are stored, and the digests of its other lines."""

    recorded: Recorded
    topic: str
    open: str
    sealed: str
    secret: str


@frozen
class DroppedEvent:
    """An event that retention dropped: its position, and the hash of its leaf, which the tiles keep."""

    position: int
    leaf: bytes


@frozen
class EvidencePage:
    """A part of the log without a gap, and the position behind which the next one begins."""

    events: Sequence[EvidentEvent | DroppedEvent]
    next: int


class ReadingEvidence:
    """Reads the log with its evidence; writes nothing."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def page(self, after: int) -> EvidencePage:
        """
        Return the events behind a position, each position once; raises `LogDamaged` for a missing one.

        The page is empty at the end of the log.
        """
        raw = {
            each.position: each
            for each in await self._journal.sealed_log.raw_events(after, _EVENTS)
        }
        # Without events, everything behind the position was dropped, or there is nothing.
        last = max(raw) if raw else await self._journal.sealed_log.sealed_size()
        last = min(last, after + _EVENTS)
        recorded = {each.position: each for each in await self._journal.read_log(after, _EVENTS)}
        wanted = range(after + 1, last + 1)
        # An event that was dropped between the two reads counts as dropped.
        gone = [each for each in wanted if each not in raw or each not in recorded]
        leaves = dict(zip(gone, await leaves_at(self._journal.sealed_log, gone), strict=True))
        events = [
            DroppedEvent(each, leaves[each])
            if each in leaves
            else _evident(recorded[each], raw[each])
            for each in wanted
        ]
        return EvidencePage(events, max(after, last))


def _evident(recorded: Recorded, raw: RawEvent) -> EvidentEvent:
    # Raises for bytes in another form than that of an event.
    event_leaf(raw)
    opened, sealed, secret = raw.state.split(b"\n")
    try:
        text = opened.decode()
    except UnicodeDecodeError:
        raise LogDamaged(raw.position, f"Event {raw.position} is no text.") from None
    return EvidentEvent(recorded, raw.topic, text, sealed_digest(sealed), digest(secret))
