"""Check a store's log against its tiles and heads, and name every edit by position and kind (C-81, C-105)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from attrs import frozen

from ...verify_evidence import Checkpoint, Finding, Verifier
from ..errors import UnavailableError
from ..journal import Journal
from ..ports.event_store import Recorded, StoreUnavailable
from ..records.log_history import LOG_HISTORY_STREAM
from .checking_heads import CheckingHeads
from .findings import Kind, finding
from .trusted_keys import TrustedKeys
from .unexplained_positions import UnexplainedPositions
from .walking_tiles import WalkingTiles

# SQLite's name for a file whose pages are not in order.
_CORRUPT = "SQLITE_CORRUPT"


@frozen(kw_only=True)
class Verified:
    """
    What a check of the log covered, its first findings, and the number of all of them.

    `covered` is the newest head that a trusted key signed and that the events lead to. Of `events`, the
    tiles cover `sealed`; retention took out `pruned` of those. That parts of `pruned_uncovered` events are
    gone is said by events alone that no head covers, which anybody may have written who can write the store.
    `added_keys` are the keys that the auditor did not name, and that are trusted because the log added them
    at these positions: whoever could append to the log while it was signed may have added one of his own.
    """

    covered: Checkpoint | None
    events: int
    sealed: int
    pruned: int
    pruned_uncovered: int
    added_keys: Sequence[tuple[int, Verifier]]
    findings: tuple[Finding, ...]
    total: int


class VerifyingLog:
    """Reads one snapshot of the log, in order and once, in a memory that does not grow with it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def verify(
        self,
        keys: Sequence[Verifier] = (),
        heads: Sequence[str] = (),
        progress: Callable[[int, int], None] | None = None,
        limit: int | None = None,
    ) -> Verified:
        """
        Compare every event with the tiles, and the tiles with the heads.

        `keys` are those of the log that the auditor trusts, and `heads` the notes of heads that were kept
        outside the store. `progress` is called with the number of events done and of all. At most `limit`
        findings are returned; all are counted. Raises `StoreUnavailable`.
        """
        kept: list[Finding] = []
        total = 0
        async with self._journal.snapshot() as snapshot:
            size = await snapshot.size()
            history = await self._history()
            trusted = TrustedKeys(keys, history)
            signed = CheckingHeads(snapshot.heads(), trusted, heads, history)
            unexplained = UnexplainedPositions(self._journal)

            def advance(events: int) -> None:
                if progress is not None:
                    progress(min(events, size), size)

            walk = WalkingTiles(snapshot, signed, unexplained, advance)
            async for each in _all(walk, signed, unexplained):
                total += 1
                if limit is None or len(kept) < limit:
                    kept.append(each)
        return Verified(
            covered=signed.covered,
            events=walk.events,
            sealed=walk.sealed,
            pruned=unexplained.pruned,
            pruned_uncovered=unexplained.uncovered(
                0 if signed.covered is None else signed.covered.size
            ),
            added_keys=trusted.added,
            findings=tuple(kept),
            total=total,
        )

    async def _history(self) -> Sequence[Recorded]:
        """Return the history of keys and restores; a damaged one names no key, and is found by the walk."""
        try:
            return await self._journal.read_stream(LOG_HISTORY_STREAM)
        except UnavailableError:
            raise
        except Exception:
            return ()


async def _all(
    walk: WalkingTiles, signed: CheckingHeads, unexplained: UnexplainedPositions
) -> AsyncIterator[Finding]:
    """Yield all findings; a file that cannot be read on is one, and ends the walk."""
    try:
        async for each in walk.findings():
            yield each
    except StoreUnavailable as error:
        if not error.reason.startswith(_CORRUPT):
            raise
        text = "The pages of the file are damaged from here on. Run `watchword audit check`."
        yield finding(Kind.DAMAGE, walk.events + 1, text)
        return
    for each in (*unexplained.end(), *signed.end()):
        yield each
    if walk.sealed and signed.covered is None and not signed.findings:
        yield finding(Kind.HEAD, 1, "No head that a trusted key signed covers the log.")
