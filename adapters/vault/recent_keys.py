"""Unwrapped keys, kept in memory within a bound."""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from ...application.ports.sealer import SealKey


@frozen
class UnwrappedKey:
    """A key as the store has it, and its secret."""

    key: SealKey
    secret: bytes = field(repr=False)


class RecentKeys:
    """
    Remembers the keys of at most `most` owners, and forgets those that nobody used for longest.

    There are two halves. A used key moves into the younger half; when that is full, the older one is
    forgotten, and the younger becomes the older. So a usual look-up is one look into a dict and writes
    nothing.
    """

    def __init__(self, most: int) -> None:
        self._half = most // 2
        self._younger: dict[str, UnwrappedKey] = {}
        self._older: dict[str, UnwrappedKey] = {}

    def get(self, owner: str) -> UnwrappedKey | None:
        """Return an owner's key, if it is remembered."""
        known = self._younger.get(owner)
        if known is None:
            known = self._older.get(owner)
            if known is not None:
                self.put(owner, known)
        return known

    def put(self, owner: str, key: UnwrappedKey) -> None:
        """Remember a key, in the place of an older one."""
        if len(self._younger) >= self._half:
            self._older, self._younger = self._younger, {}
        self._younger[owner] = key

    def drop(self, owner: str) -> None:
        """Forget an owner's key."""
        self._younger.pop(owner, None)
        self._older.pop(owner, None)

    def keep_only(self, among: Callable[[str], bool]) -> None:
        """Forget the keys of all other owners."""
        for each in [*self._younger, *self._older]:
            if not among(each):
                self.drop(each)

    def __len__(self) -> int:
        """Return how many keys are in memory."""
        return len(self._younger) + len(self._older)
