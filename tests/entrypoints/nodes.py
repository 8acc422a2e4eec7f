"""A client whose requests go to several nodes in turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

from attrs import evolve, field, frozen
from yarl import URL

from tests.entrypoints.caller import Caller, Endpoint


@frozen
class InTurn:
    """The listeners of several nodes."""

    nodes: tuple[Endpoint, ...]
    _turns: Iterator[Endpoint] = field(init=False)

    @_turns.default
    def _cycle(self) -> Iterator[Endpoint]:
        return cycle(self.nodes)

    def make_url(self, path: str) -> URL:
        """Return the address of a path on the next node."""
        return next(self._turns).make_url(path)


@frozen
class SpreadCaller(Caller):
    """A caller of all nodes; each has phones of its own, which are taken together."""

    nodes: tuple[Endpoint, ...] = ()

    async def outbox(self, query: str = "") -> list[dict[str, Any]]:
        """Return the messages on the phones of all nodes."""
        shown = [sent for each in self._each() for sent in await Caller.outbox(each, query)]
        return sorted(shown, key=lambda message: str(message["at"]))

    async def advance(self, seconds: int) -> None:
        """Let so much time go by on all nodes, or a second more: each catches up with the one before."""
        for node in self._each():
            await Caller.advance(node, seconds)
            # So much again would end, on the next node, a cooldown that begins on the first.
            seconds = 1

    def _each(self) -> list[SpreadCaller]:
        return [evolve(self, endpoint=node) for node in self.nodes]


def spread(*callers: Caller) -> SpreadCaller:
    """Return one client of all these nodes."""
    nodes = tuple(each.endpoint for each in callers)
    return SpreadCaller(callers[0].session, InTurn(nodes), nodes=nodes)
