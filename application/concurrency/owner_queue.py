"""A queue in which the owners of waiters take turns (C-94)."""

from __future__ import annotations

import asyncio
from collections import deque


class OwnerQueue:
    """
    Waiters by owner, which is an account or a client.

    Owners are served in turn, however many waiters each has. An owner's waiters keep their order (D-190).
    """

    def __init__(self) -> None:
        # The owner whose turn is next comes first. No owner is without waiters.
        self.waiters: dict[str, deque[asyncio.Future[None]]] = {}

    def add(self, owner: str) -> asyncio.Future[None]:
        """Add a waiter, and return the future to await."""
        waiter = asyncio.get_running_loop().create_future()
        self.waiters.setdefault(owner, deque()).append(waiter)
        return waiter

    def remove(self, owner: str, waiter: asyncio.Future[None]) -> bool:
        """Remove a waiter that gave up, if it is still here; return whether its owner left with it."""
        line = self.waiters.get(owner)
        if line is None or waiter not in line:
            return False
        line.remove(waiter)
        if not line:
            del self.waiters[owner]
        return not line

    def serve(self, owner: str) -> bool:
        """Wake an owner's next waiter and end the owner's turn; return False if all had given up."""
        line = self.waiters.pop(owner)
        while line and line[0].done():
            line.popleft()
        if not line:
            return False
        line.popleft().set_result(None)
        if line:
            self.waiters[owner] = line
        return True

    def serve_next(self) -> bool:
        """Serve the owner whose turn is next; return False if nobody waits."""
        while self.waiters:
            if self.serve(next(iter(self.waiters))):
                return True
        return False
