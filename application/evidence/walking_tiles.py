"""One pass over events, tiles and heads, a leaf tile at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from ...verify_evidence import Finding
from ..ports.sealed_log import RawEvent
from ..ports.snapshot import Snapshot
from .checking_heads import CheckingHeads, Signed
from .comparing_events import LOOKAHEAD, leaf_or_none
from .findings import Kind, finding, named
from .kept_tiles import LEVELS, Column, UpperLevel, hashes_in, stray_finding
from .leaf_tile import LeafTile, leaf_tile
from .raw_cursor import RawCursor
from .roots import Roots
from .tree import WIDTH, root_over
from .unexplained_positions import UnexplainedPositions

# So many tiles in a row may be missing with all their events; behind a larger hole, no root can be known.
_LARGEST_HOLE = 64
# The comparison looks at two leaves behind those that it passes over.
_AHEAD = LOOKAHEAD + 2
_PRUNING = "EventsPruned/"
_EVERY_SIZE = 1 << 63


class WalkingTiles:
    """
    Compares the events with the tile above them, and its root with the hash above that.

    Of event, tile and the hash above, two agree about what was sealed, and the third was edited. If only two
    are there, or two were edited alike, the next head decides (D-426). `sealed` events are covered by tiles.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        heads: CheckingHeads,
        unexplained: UnexplainedPositions,
        advance: Callable[[int], None],
    ) -> None:
        self._advance = advance
        self._events = RawCursor(snapshot.raw_events())
        self._leaves, *upper = [Column(level, snapshot.tiles(level)) for level in range(LEVELS)]
        self._columns = [self._leaves, *upper]
        above = iter(upper)
        self._parents = UpperLevel(next(above), above)
        self._heads = heads
        self._unexplained = unexplained
        self._roots = Roots(heads, self._parents)
        # So many positions later than they were sealed, the events stand that come next.
        self._shift = 0
        self._end = 0
        self.sealed = 0

    @property
    def events(self) -> int:
        """The number of events that were read."""
        return self._events.taken

    async def findings(self) -> AsyncIterator[Finding]:
        """Yield what differs, in order of the tiles."""
        for event in await self._before_the_first():
            text = f"No position is below 1: {named(event)}."
            yield finding(Kind.EXTRA, event.position, text)
        index = 0
        while (following := await self._following()) is not None:
            if following > index + _LARGEST_HOLE:
                yield self._hole(index, following)
                index = following
            for each in await self._tile(index):
                yield each
            self._advance(self.events)
            index += 1
        for each in await self._ends():
            yield each

    async def _before_the_first(self) -> Sequence[RawEvent]:
        window = await self._events.window(0, 1)
        return self._events.take(sum(each.position < 1 for each in window))

    async def _following(self) -> int | None:
        """Return the index of the next tile for which something is stored; None at the end."""
        tile = await self._leaves.peek()
        found = [] if tile is None else [tile.index]
        for event in (await self._events.window(0, 1))[:1]:
            found.append((event.position - self._shift - 1) // WIDTH)
        return min(found, default=None)

    def _hole(self, index: int, following: int) -> Finding:
        self._roots.lose()
        self._unexplained.lose()
        first = index * WIDTH + 1
        text = f"There is neither an event nor a hash up to position {following * WIDTH}."
        return finding(Kind.MISSING, first, text, first + WIDTH - 1)

    async def _tile(self, index: int) -> list[Finding]:
        first, last = index * WIDTH + 1, (index + 1) * WIDTH
        stored = await self._leaves.take(index)
        below = await self._leaves.peek()
        window = await self._events.window(last + self._shift, _AHEAD)
        there = max((e.position - self._shift for e in window), default=0)
        heads = await self._heads.until(last)
        count = WIDTH
        if below is None and not (there > last and await self._heads.following() is not None):
            sizes = [
                each.head.size for each in heads if not each.outside or each.head.size <= there
            ]
            count = max(len(stored), max(sizes, default=0) - first + 1)
        self.sealed += len(stored)
        found: list[Finding] = []
        if count > 0:
            further = [] if below is None or below.index != index + 1 else hashes_in(below.hashes)
            tile = leaf_tile(window, first, count, stored, further[:_AHEAD], self._shift)
            found += await self._judged(tile, index, heads)
            self._end = first + count - 1
        if count < WIDTH:
            found += _beyond(heads, self._end)
            found += await self._unsealed()
        return found

    async def _judged(self, tile: LeafTile, index: int, heads: Sequence[Signed]) -> list[Finding]:
        """Decide what was sealed, and name what differs from it."""
        parent = await self._parents.stored() if tile.count == WIDTH else None
        sealed = self._sealed(tile, parent, heads)
        found = [*tile.findings(sealed)]
        found += self._unexplained.miss(tile.compared.missing)
        found += await self._looked_at(self._events.take(tile.compared.taken))
        self._shift = tile.compared.shift
        inside = [each for each in heads if each.head.size < tile.first + tile.count]
        if sealed is None and parent is None:
            self._roots.lose()
        for each in inside:
            if each.head.size - tile.first + 1 < WIDTH:
                found += self._roots.check(each, (sealed or [])[: each.head.size - tile.first + 1])
        if tile.count == WIDTH:
            node = root_over(b"".join(sealed)) if sealed is not None else parent
            await self._roots.add(index, node or b"", parent)
            for each in inside:
                if each.head.size - tile.first + 1 == WIDTH:
                    found += self._roots.check(each)
        return found

    def _sealed(
        self, tile: LeafTile, parent: bytes | None, heads: Sequence[Signed]
    ) -> Sequence[bytes] | None:
        """Return the hashes that were sealed; None if nothing stored has all of them."""
        candidates = list(tile.candidates())
        if len(candidates) > 1:
            for each in candidates:
                if parent is not None and root_over(b"".join(each)) == parent:
                    return each
            # A smaller head says nothing about the events behind it.
            for signed in reversed(heads):
                for each in candidates:
                    if self._roots.vouched(each, tile.first, signed):
                        return each
        return candidates[0] if candidates else None

    async def _looked_at(self, events: Sequence[RawEvent]) -> Sequence[Finding]:
        """Note the lines that retention took out, and what it says that it did."""
        # The other lines never begin so: both are JSON.
        blanked = [each.position - self._shift for each in events if b"\n~" in each.state]
        found = [*self._unexplained.blank(blanked)]
        for event in events:
            if event.topic.startswith(_PRUNING):
                await self._unexplained.explain(event)
        return found

    async def _unsealed(self) -> list[Finding]:
        """Go through the events behind the tiles: their positions must have no gap."""
        found = []
        expected = self._end + self._shift + 1
        while window := await self._events.window(expected + WIDTH, 1):
            for event in window:
                if event.position != expected:
                    self._unexplained.lose()
                    text = f"No event stands before position {event.position}."
                    last = min(event.position - 1, expected + WIDTH - 1)
                    found.append(finding(Kind.GAP, expected, text, last))
                if leaf_or_none(event, event.position) is None:
                    text = f"It is in no form of an event: {named(event)}."
                    found.append(finding(Kind.CHANGED, event.position, text))
                expected = event.position + 1
            found += await self._looked_at(self._events.take(len(window)))
        return found

    async def _ends(self) -> list[Finding]:
        found = _beyond(await self._heads.until(_EVERY_SIZE), self._end)
        found += await self._roots.end()
        for column in self._columns:
            await column.skip_rest()
            found += [stray_finding(column.level, each) for each in column.strays]
        return found


def _beyond(heads: Sequence[Signed], end: int) -> list[Finding]:
    """Return the findings about heads of more events than the store has."""
    found = []
    for each in heads:
        head = each.head
        if head.size > end:
            kind = Kind.ROLLBACK if each.outside else Kind.MISSING
            text = f"A head of {head.origin} covers {head.size} events, and the log ends at {end}."
            found.append(finding(kind, end + 1, text, min(head.size, end + WIDTH)))
    return found
