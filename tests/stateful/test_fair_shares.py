"""Fair shares of places, against a plain model that looks at everything anew at every step (C-94)."""

from __future__ import annotations

import asyncio

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from watchword.application.concurrency.fair_shares import FairShares

OWNERS = ("tea", "coffee", "cocoa", "milk")


class PlainShares:
    """The running and waiting owners, and whose turn it is, as lists."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.share = max(1, places // 4)
        self.running: list[int] = []
        self.waiting: list[int] = []
        self.turns: list[str] = []
        self.owner_of: dict[int, str] = {}

    def come(self, ticket: int, owner: str) -> None:
        """Wait in line, and be served at once if that may be."""
        self.owner_of[ticket] = owner
        self.waiting.append(ticket)
        if owner not in self.turns:
            self.turns.append(owner)
        self.serve()

    def go(self, ticket: int) -> None:
        """Leave, running or waiting."""
        (self.running if ticket in self.running else self.waiting).remove(ticket)
        self.turns = [each for each in self.turns if self.waiting_of(each)]
        self.serve()

    def serve(self) -> None:
        """Start all that may start, one account after the other."""
        while (owner := next(filter(self.may_run, self.turns), None)) is not None:
            ticket = self.waiting_of(owner)[0]
            self.waiting.remove(ticket)
            self.running.append(ticket)
            self.turns.remove(owner)
            if self.waiting_of(owner):
                self.turns.append(owner)

    def may_run(self, owner: str) -> bool:
        """Return whether one more of an owner may run."""
        free = self.places - len(self.running)
        if self.running_of(owner) < self.share:
            return free > 0
        others_wait = any(self.owner_of[each] != owner for each in self.waiting)
        return free > self.share and not others_wait

    def waiting_of(self, owner: str) -> list[int]:
        """Return the tickets of an owner that wait, the earliest first."""
        return [each for each in self.waiting if self.owner_of[each] == owner]

    def running_of(self, owner: str) -> int:
        """Count the tickets of an owner that run."""
        return [self.owner_of[each] for each in self.running].count(owner)


class SharesMachine(RuleBasedStateMachine):
    """Tickets of four accounts that come, run, end, and give up."""

    @initialize(places=st.sampled_from((1, 2, 4, 7, 8)))
    def open(self, places: int) -> None:
        """Begin without owners."""
        self.runner = asyncio.Runner()
        self.shares, self.plain = FairShares(places), PlainShares(places)
        self.tasks: dict[int, asyncio.Task[None]] = {}

    @rule(owner=st.sampled_from(OWNERS))
    def come(self, owner: str) -> None:
        """Ask for a place, with all the time in the world."""
        ticket = len(self.plain.owner_of)
        self.plain.come(ticket, owner)
        self.tasks[ticket] = self.runner.get_loop().create_task(self.shares.take(owner, 3600))

    @precondition(lambda self: self.plain.running)
    @rule(data=st.data())
    def end(self, data: st.DataObject) -> None:
        """Hand a place back."""
        ticket = data.draw(st.sampled_from(self.plain.running))
        self.plain.go(ticket)
        self.shares.release(self.plain.owner_of[ticket])

    @precondition(lambda self: self.plain.waiting)
    @rule(data=st.data())
    def give_up(self, data: st.DataObject) -> None:
        """Stop waiting."""
        ticket = data.draw(st.sampled_from(self.plain.waiting))
        self.plain.go(ticket)
        self.tasks[ticket].cancel()

    @precondition(lambda self: self.plain.running and self.plain.waiting)
    @rule(data=st.data())
    def give_up_as_a_place_comes(self, data: st.DataObject) -> None:
        """Stop waiting in the moment in which a place is handed back; nothing of it is lost."""
        leaving = data.draw(st.sampled_from(self.plain.waiting))
        ending = data.draw(st.sampled_from(self.plain.running))
        self.plain.go(leaving)
        self.plain.go(ending)
        self.tasks[leaving].cancel()
        self.shares.release(self.plain.owner_of[ending])

    @precondition(lambda self: self.plain.running and self.plain.waiting)
    @rule(data=st.data())
    def give_up_once_a_place_came(self, data: st.DataObject) -> None:
        """Stop waiting with the place in hand, before it is taken up: the next one gets it."""
        waited = set(self.plain.waiting)
        ending = data.draw(st.sampled_from(self.plain.running))
        self.plain.go(ending)
        self.shares.release(self.plain.owner_of[ending])
        served = [each for each in self.plain.running if each in waited]
        if served:
            leaving = data.draw(st.sampled_from(served))
            self.plain.go(leaving)
            self.tasks[leaving].cancel()

    @invariant()
    def the_same_run_as_in_the_model(self) -> None:
        """The running owners are those of the model."""
        if not hasattr(self, "plain"):
            return
        self.runner.run(_settle())
        assert set(self.plain.running) <= {each for each, task in self.tasks.items() if task.done()}
        assert all(not self.tasks[each].done() for each in self.plain.waiting)

    @invariant()
    def a_quarter_is_everybodys_right(self) -> None:
        """No owner with less than a quarter waits while a place is free, and none has all places."""
        if not hasattr(self, "plain"):
            return
        plain = self.plain
        for owner in OWNERS:
            if plain.waiting_of(owner) and plain.running_of(owner) < plain.share:
                assert plain.places == len(plain.running)
            assert plain.running_of(owner) <= max(plain.share, plain.places - plain.share)

    def teardown(self) -> None:
        """End the waiting owners."""
        if hasattr(self, "plain"):
            for task in self.tasks.values():
                task.cancel()
            self.runner.run(_settle())
            self.runner.close()


async def _settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


TestSharesMachine = SharesMachine.TestCase
