"""The edge of a tree that grows: enough to know its root at every size."""

from __future__ import annotations

from collections.abc import Iterable

from ...verify_evidence import EMPTY_ROOT, node_hash


class Frontier:
    """The roots of the full subtrees, from the left, that make up all leaves so far (RFC 6962, 2.1)."""

    def __init__(self, subtrees: Iterable[tuple[int, bytes]] = ()) -> None:
        self._subtrees = list(subtrees)

    def add(self, node: bytes, height: int = 0) -> None:
        """Add the root of a full subtree of this height, at most as high as the last one."""
        while self._subtrees and self._subtrees[-1][0] == height:
            node, height = node_hash(self._subtrees.pop()[1], node), height + 1
        self._subtrees.append((height, node))

    def copy(self) -> Frontier:
        """Return another frontier over the same leaves."""
        return Frontier(self._subtrees)

    def root(self, further: Iterable[bytes] = ()) -> bytes:
        """Return the root of the leaves so far, and of `further` leaves behind them."""
        whole = self.copy()
        for leaf in further:
            whole.add(leaf)
        nodes = [node for _, node in whole._subtrees]
        root = nodes.pop() if nodes else EMPTY_ROOT
        while nodes:
            root = node_hash(nodes.pop(), root)
        return root
