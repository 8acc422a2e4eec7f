"""The roots that the tiles lead to, beside those of the heads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...verify_evidence import Finding, Frontier
from .checking_heads import CheckingHeads, Signed
from .findings import Kind, finding
from .kept_tiles import UpperLevel
from .tree import TILE_HEIGHT, WIDTH


class Roots:
    """
    Adds up the tiles, and compares the root with every head on the way.

    Where the stored hash above a tile disagrees with it, a second sum goes on with the stored one: the next
    head says which of the two was sealed (D-426).
    """

    def __init__(self, heads: CheckingHeads, parents: UpperLevel) -> None:
        self._heads = heads
        self._parents = parents
        self._sum = Frontier()
        self._other: Frontier | None = None
        self._disputed: list[int] = []
        self._agreed = 0
        self._lost = False

    def vouched(self, leaves: Sequence[bytes], first: int, signed: Signed) -> bool:
        """Return whether the root of a head is over the tiles so far and `leaves` from `first` on."""
        count = signed.head.size - first + 1
        return (
            not self._lost
            and 0 < count <= len(leaves)
            and self._sum.root(leaves[:count]) == signed.head.root
        )

    async def add(self, index: int, node: bytes, stored: bytes | None) -> None:
        """Add the root of a full tile, beside the stored hash of it."""
        if self._lost:
            return
        if stored is None:
            self._parents.differs(index)
        elif stored != node:
            self._disputed.append(index)
            self._other = self._other or self._sum.copy()
        if self._other is not None:
            self._other.add(stored or node, TILE_HEIGHT)
        self._sum.add(node, TILE_HEIGHT)
        await self._parents.add(node)

    def check(self, signed: Signed, further: Sequence[bytes] = ()) -> Iterator[Finding]:
        """Compare a head with the root of all tiles so far, and of `further` leaves."""
        head = signed.head
        if not self._lost and self._sum.root(further) == head.root:
            self._dispute_ends()
        elif self._other is not None and self._other.root(further) == head.root:
            for index in self._disputed:
                first = index * WIDTH + 1
                text = "Events and their hashes were changed together."
                yield finding(Kind.CHANGED, first, text, first + WIDTH - 1)
            self._disputed, self._sum, self._other = [], self._other, None
        else:
            yield self._disagrees(signed)
            return
        self._agreed = head.size
        self._heads.agrees(signed)

    def lose(self) -> None:
        """Go on without roots: from here on, nobody knows what was sealed."""
        self._lost = True

    async def end(self) -> Sequence[Finding]:
        """Return the findings about the levels above the leaves."""
        self._dispute_ends()
        return [] if self._lost else await self._parents.end()

    def _dispute_ends(self) -> None:
        for index in self._disputed:
            self._parents.differs(index)
        self._disputed, self._other = [], None

    def _disagrees(self, signed: Signed) -> Finding:
        head = signed.head
        first = min(self._agreed + 1, head.size)
        text = (
            f"The first {head.size} events are not those of the head of {head.origin};"
            f" the first {self._agreed} are those of a head."
        )
        kind = Kind.FORK if signed.outside else Kind.HEAD
        return finding(kind, first, text, min(head.size, first + WIDTH - 1))
