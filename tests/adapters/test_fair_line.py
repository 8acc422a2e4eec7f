"""The line before the hash of passwords: clients take turns, and no flood fills it (D-143)."""

from __future__ import annotations

import asyncio

import pytest
from attrs import define, field

from watchword.adapters.fair_line import FairLine
from watchword.application.errors import UnavailableError


@define
class Queue:
    """A line whose one turn is taken, with the clients that had the next turns."""

    line: FairLine
    served: list[str] = field(factory=list)
    waiting: list[asyncio.Task[None]] = field(factory=list)

    async def join(self, *clients: str) -> None:
        """Make clients wait, one behind the other."""
        for client in clients:
            self.waiting.append(asyncio.create_task(self._turn(client)))
            await asyncio.sleep(0)

    async def _turn(self, client: str) -> None:
        await self.line.take(client)
        self.served.append(client)
        self.line.release()

    async def serve(self) -> list[str]:
        """End the current turn, and return the client that is served next."""
        self.line.release()
        await asyncio.gather(*self.waiting, return_exceptions=True)
        return self.served


@pytest.fixture
async def queue() -> Queue:
    """Return a line with four places behind the turn that is under way."""
    line = FairLine(4)
    await line.take("first")
    return Queue(line)


async def test_clients_take_turns(queue: Queue) -> None:
    """A client with one waiting call is served after one call of each other client."""
    await queue.join("a", "a", "a", "b")

    assert ["a", "b", "a", "a"] == await queue.serve()


async def test_a_client_alone_has_all_places_and_no_more(queue: Queue) -> None:
    """A call that finds no place is refused at once."""
    await queue.join("a", "a", "a", "a", "a")

    assert isinstance(queue.waiting[-1].exception(), UnavailableError)
    assert ["a"] * 4 == await queue.serve()


async def test_whoever_has_most_waiting_gives_a_place_up(queue: Queue) -> None:
    """Its last one is refused in the newcomer's stead, until all have as many."""
    await queue.join("a", "a", "a", "a", "b", "b", "b")
    await asyncio.sleep(0)
    refused = [each.done() for each in queue.waiting]

    assert [False, False, True, True, False, False, True] == refused
    assert ["a", "b", "a", "b"] == await queue.serve()


async def test_where_all_have_one_a_newcomer_is_refused(queue: Queue) -> None:
    """No client has more than the newcomer would have."""
    await queue.join("a", "b", "c", "d", "e")

    assert isinstance(queue.waiting[-1].exception(), UnavailableError)
    assert ["a", "b", "c", "d"] == await queue.serve()


async def test_who_gives_up_loses_nobody_a_turn(queue: Queue) -> None:
    """It may give up while it waits, or in the moment in which its turn comes."""
    await queue.join("a", "b", "c")
    queue.waiting[0].cancel()
    await asyncio.sleep(0)
    queue.line.release()
    queue.waiting[1].cancel()
    await asyncio.gather(*queue.waiting, return_exceptions=True)

    assert ["c"] == queue.served
    async with asyncio.timeout(1):
        await queue.line.take("d")


async def test_who_gives_up_a_place_that_was_given_away_passes_no_turn_on(queue: Queue) -> None:
    """It had none: only the one that is under way ends it."""
    await queue.join("a", "a", "a", "a")
    asyncio.get_running_loop().call_soon(queue.waiting[-1].cancel)
    await queue.join("b")
    await asyncio.sleep(0)

    assert [] == queue.served
    assert ["a", "b", "a", "a"] == await queue.serve()
