"""Who is let in to a listener: as many clients as there is room for, and none beyond its half (D-142)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum, auto
from typing import Generic, Protocol, TypeVar

# How many are looked at for one that can be closed; those whose answers nobody takes are passed over.
_MOST_LOOKS = 64


class Admission(Enum):
    """What becomes of a new connection."""

    GRANTED = auto()
    NO_ROOM = auto()
    NO_MORE_FOR_CLIENT = auto()


class Closable(Protocol):
    """A connection, as far as making room needs it."""

    @property
    def waits(self) -> bool:
        """Whether it waits for a request, with nothing of it here and no answer under way."""
        ...

    def let_go(self) -> None:
        """Close it."""
        ...


C = TypeVar("C", bound=Closable)


class OpenConnections(Generic[C]):
    """
    The open connections of one listener, and which of them are idle, the longest idle one first.

    A client is an address, or a /64 of IPv6; connections without one, as those of trusted proxies,
    count for nobody.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._share = max(1, room // 2)
        self._clients: dict[C, str | None] = {}
        self._held: Counter[str] = Counter()
        self._idle: dict[C, None] = {}

    def __len__(self) -> int:
        return len(self._clients)

    def __iter__(self) -> Iterator[C]:
        return iter(self._clients)

    def admit(self, connection: C, client: str | None) -> Admission:
        """Take a connection in, if its client may have one more and there is room, or room is made."""
        if client is not None and self._held[client] >= self._share:
            return Admission.NO_MORE_FOR_CLIENT
        if len(self._clients) >= self._room and not self._make_room():
            return Admission.NO_ROOM
        self._clients[connection] = client
        if client is not None:
            self._held[client] += 1
        self._idle[connection] = None
        return Admission.GRANTED

    def begin(self, connection: C) -> None:
        """Note that something of a request has come."""
        self._idle.pop(connection, None)

    def rest(self, connection: C) -> None:
        """Note that a request is answered, or about to be: its connection is idle from now on."""
        if connection in self._clients:
            self._idle[connection] = None

    def forget(self, connection: C) -> None:
        """Let a connection go that has ended."""
        self._idle.pop(connection, None)
        client = self._clients.pop(connection, None)
        if client is not None:
            self._held[client] -= 1
            if not self._held[client]:
                del self._held[client]

    def _make_room(self) -> bool:
        for _ in range(min(len(self._idle), _MOST_LOOKS)):
            longest = next(iter(self._idle))
            if longest.waits:
                self.forget(longest)
                longest.let_go()
                return True
            self._idle[longest] = self._idle.pop(longest)
        return False
