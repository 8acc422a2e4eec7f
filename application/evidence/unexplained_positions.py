"""Missing events and blanked lines, until an `EventsPruned` explains them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain

from ...domain.log_history import EventsPruned, PrunedPart, PrunedRange
from ...verify_evidence import Finding
from ..errors import UnavailableError
from ..journal import Journal
from ..ports.sealed_log import LogDamaged, RawEvent
from .findings import Kind, finding, in_ranges
from .sealed_leaves import pruned_digest

# More prunings than can wait for a head.
_LATELY = 10_000
_MISSING = "The log has no event here, and no EventsPruned says why."
_BLANKED = "The sealed line was taken out, and no EventsPruned says why."


class Positions:
    """A set of positions in one bit each, because retention may have taken out most of a long log."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self.count = 0

    def add(self, position: int) -> None:
        """Add a position."""
        byte, bit = divmod(position, 8)
        if byte >= len(self._bits):
            self._bits.extend(bytes(byte + 1 - len(self._bits) + len(self._bits) // 8))
        self.count += not self._bits[byte] >> bit & 1
        self._bits[byte] |= 1 << bit

    def take(self, first: int, last: int) -> int:
        """Remove the positions of a range; return how many were in the set."""
        before = self.count
        for position in range(max(first, 0), min(last, 8 * len(self._bits) - 1) + 1):
            byte, bit = divmod(position, 8)
            self.count -= self._bits[byte] >> bit & 1
            self._bits[byte] &= ~(1 << bit)
        return before - self.count

    def __iter__(self) -> Iterator[int]:
        for byte, bits in enumerate(self._bits):
            if bits:
                yield from (8 * byte + bit for bit in range(8) if bits >> bit & 1)


class UnexplainedPositions:
    """
    Collects missing events and blanked lines, which an `EventsPruned` later in the log explains.

    `pruned` counts the events that are explained, and `lately` has them with the positions of what explains
    them, the newest of which no head may cover yet.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._missing = Positions()
        self._blanked = Positions()
        self._lost = False
        self.pruned = 0
        self.lately: deque[tuple[int, int]] = deque(maxlen=_LATELY)
        self.findings: list[Finding] = []

    def lose(self) -> None:
        """Let nothing explain what comes: behind a large hole, positions may be of any size."""
        self._lost = True

    def miss(self, positions: Sequence[int]) -> Iterator[Finding]:
        """Note positions without an event; yield findings about those that nothing can explain."""
        return self._note(Kind.MISSING, positions, _MISSING, self._missing)

    def blank(self, positions: Sequence[int]) -> Iterator[Finding]:
        """Note positions whose sealed line was taken out, in the same way."""
        return self._note(Kind.BLANKED, positions, _BLANKED, self._blanked)

    async def explain(self, raw: RawEvent) -> None:
        """Take the positions that an `EventsPruned` names out of the missing and blanked ones."""
        try:
            recorded = await self._journal.read_stream(raw.stream)
        except UnavailableError:
            raise
        except Exception:
            return
        here = (each.event for each in recorded if each.position == raw.position)
        pruned = next(here, None)
        if not isinstance(pruned, EventsPruned):
            return
        ends = [0, *(end for each in pruned.ranges for end in (each.first, each.last + 1))]
        ascend = ends == sorted(ends) and ends[-1] <= raw.position
        if not ascend or await self._digest(pruned.ranges) != pruned.digest:
            text = "It names other events than those that its digest is of."
            self.findings.append(finding(Kind.PRUNED, raw.position, text))
            return
        explained = 0
        for each in pruned.ranges:
            if pruned.what is PrunedPart.STREAM:
                dropped = self._missing.take(each.first, each.last)
                self.pruned += dropped
                explained += dropped
            explained += self._blanked.take(each.first, each.last)
        self.lately.append((raw.position, explained))

    def uncovered(self, covered: int) -> int:
        """Return how many events only an `EventsPruned` explains behind the events that a head covers."""
        return sum(explained for position, explained in self.lately if position > covered)

    def end(self) -> Iterator[Finding]:
        """Yield what nothing explains."""
        missing = in_ranges(Kind.MISSING, self._missing, _MISSING)
        return chain(missing, in_ranges(Kind.BLANKED, self._blanked, _BLANKED), self.findings)

    def _note(
        self, kind: Kind, positions: Sequence[int], text: str, noted: Positions
    ) -> Iterator[Finding]:
        if self._lost:
            yield from in_ranges(kind, positions, text)
            return
        for each in positions:
            noted.add(each)

    async def _digest(self, ranges: tuple[PrunedRange, ...]) -> str | None:
        """Return the digest of the leaves in some ranges; None if the tiles lack one."""
        try:
            return await pruned_digest(self._journal.sealed_log, ranges)
        except LogDamaged:
            return None
