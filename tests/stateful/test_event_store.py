"""Random appends against SQLite and a naive store: versions, holders, rates, budgets and the log agree."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from copy import deepcopy
from datetime import datetime, timedelta
from math import floor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import define, field, frozen
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.contracts.event_store.histories import event, grown, loaded, per_seconds, second, step
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import (
    Append,
    BudgetsMoved,
    EventStore,
    HeldByOthers,
    RateReached,
    StoreRefusal,
    StreamConflict,
)
from watchword.domain.accounts.api_key import api_key_decider
from watchword.domain.conditions import (
    Condition,
    GiveBack,
    Hold,
    Release,
    SoleHolder,
    StartAnew,
    Unchanged,
    WithinBudget,
    WithinRate,
)

NAMES = ("fern", "moss", "orchid")


@define
class NaiveStore:
    """The contents of a store, in lists; an append works on a copy that is discarded when it fails."""

    log: list[tuple[str, int]] = field(factory=list)
    uses: list[tuple[str, float]] = field(factory=list)
    holds: list[tuple[str, str]] = field(factory=list)
    # The second of each send that a budget counts and nobody verified.
    unverified: list[tuple[str, int]] = field(factory=list)

    def version(self, stream: str) -> int:
        """Count a stream's events."""
        return sum(each == stream for each, _ in self.log)

    def holders(self, subject: str) -> set[str]:
        """Return the holders of a subject."""
        return {holder for held, holder in self.holds if held == subject}

    def append(self, append: Append) -> type[StoreRefusal] | list[int]:
        """Return the positions of an append, or the kind of its refusal."""
        before = deepcopy(self)
        versions = {name: self.version(name) for name in NAMES}
        first = len(self.log) + 1
        if any(versions[each.stream] != each.expected_version for each in append.changes):
            return StreamConflict
        for change in append.changes:
            for _ in change.events:
                self.log.append((change.stream, self.version(change.stream) + 1))
        for condition in append.conditions:
            refusal = self._meet(condition, versions)
            if refusal is not None:
                self.log, self.uses, self.holds = before.log, before.uses, before.holds
                self.unverified = before.unverified
                return refusal
        return list(range(first, len(self.log) + 1))

    def _meet(self, condition: Condition, versions: dict[str, int]) -> type[StoreRefusal] | None:
        match condition:
            case WithinRate(subject, rate, at):
                now = (at - second(0)).total_seconds()
                counted = [each for used, each in self.uses if used == subject][-rate.count :]
                if len(counted) == rate.count and now < counted[0] + rate.window.total_seconds():
                    return RateReached
                self.uses.append((subject, now))
            case SoleHolder(subject, holder, retiring):
                if not self.holders(subject) <= {holder, *retiring}:
                    return HeldByOthers
                self.holds = [each for each in self.holds if each[0] != subject]
                self.holds.append((subject, holder))
            case WithinBudget(subject=subject, rate=rate, at=at, over=over):
                oldest = _second_of(at) - 60
                counted = [each for name, each in self.unverified if name == subject]
                if over == (sum(each >= oldest for each in counted) < rate.count):
                    return BudgetsMoved
                if not over:
                    self.unverified.append((subject, _second_of(at)))
            case Hold(subject, holder):
                self.holds.append((subject, holder))
            case Release(subject, holder):
                self.holds = [each for each in self.holds if each != (subject, holder)]
            case Unchanged(stream, version):
                if versions[stream] != version:
                    return StreamConflict
            case GiveBack(subject, _, sent_at):
                if (send := (subject, _second_of(sent_at))) in self.unverified:
                    self.unverified.remove(send)
            case StartAnew(subject):
                self.unverified = [each for each in self.unverified if each[0] != subject]
        return None


def _second_of(at: datetime) -> int:
    return floor((at - second(0)).total_seconds())


@frozen
class Order:
    """An append to be made: streams with how far off its expectation is, and its conditions."""

    streams: Sequence[tuple[str, int, int]]
    conditions: Sequence[tuple[str, str, int]]


KINDS = (
    *("rate", "rate", "hold", "release", "sole", "retire", "unchanged"),
    *("budget", "budget", "flag", "back", "back", "anew"),
)
names = st.sampled_from(NAMES)
# Mostly at the right version, so that most appends hold.
offs = st.sampled_from((0, 0, 0, 0, 0, 0, -1, 1))
orders = st.builds(
    Order,
    st.lists(st.tuples(names, offs, st.integers(1, 3)), max_size=2, unique_by=lambda each: each[0]),
    st.lists(
        st.tuples(
            st.sampled_from(KINDS),
            names,
            st.integers(0, 3),
        ),
        max_size=2,
        # One condition on a subject: how two of one append meet is a matter of the contract.
        unique_by=lambda each: each[1],
    ),
)


class StoreMachine(RuleBasedStateMachine):
    """The store and its naive twin, through appends, clock jumps and restarts."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.naive = NaiveStore()
        self.now = 0.0
        self.read = 0

    @initialize()
    def open(self) -> None:
        """Open the store."""
        self.store = self.runner.run(self.opened())

    async def opened(self) -> Any:
        """Open the kind of store that is under test."""
        return await SqliteEventStore.open(Path(self.folder.name) / "store.db", vault=new_vault())

    def writer(self) -> EventStore:
        """Return the name of the node that writes concurrent appends."""
        return self.store

    @rule(seconds=st.sampled_from((0.5, 1, 3, 10, 40, -2)))
    def pass_time(self, seconds: float) -> None:
        """Let the clock go on, or step back."""
        self.now += seconds

    @rule(order=orders)
    def append(self, order: Order) -> None:
        """Write one append."""
        self._write([order])

    @rule(together=st.lists(orders, min_size=2, max_size=5))
    def append_together(self, together: list[Order]) -> None:
        """Write several appends at once."""
        self._write(together)

    def _write(self, together: list[Order]) -> None:
        appends = [self._append(each) for each in together]

        async def gather() -> list[object]:
            writer = self.writer()
            written = (writer.append(each) for each in appends)
            return list(await asyncio.gather(*written, return_exceptions=True))

        expected = [self.naive.append(each) for each in appends]
        told = self.runner.run(gather())

        assert expected == [
            list(each) if isinstance(each, Sequence) else type(each) for each in told
        ]

    @rule()
    def restart(self) -> None:
        """Close the store and open it again."""
        self.runner.run(self.store.close())
        self.open()
        self.read = 0

    @invariant()
    def everything_is_the_same(self) -> None:
        """The log continues where it ended, and streams and holders equal the twin's."""
        self.runner.run(self._compare())

    def teardown(self) -> None:
        """Read everything once more, close the store and clear up."""
        self.read = 0
        self.runner.run(self._compare())
        self.runner.run(self.store.close())
        self.runner.close()
        self.folder.cleanup()

    async def _compare(self) -> None:
        log = await self.store.read_log(self.read, 10_000)

        assert list(range(self.read + 1, len(self.naive.log) + 1)) == [
            each.position for each in log
        ]
        assert self.naive.log[self.read :] == [(each.stream, each.version) for each in log]
        assert all(each.event == event(each.stream, each.version) for each in log)
        self.read = len(self.naive.log)
        for name in NAMES:
            version = self.naive.version(name)

            # A stream without events has no state (D-172).
            expected = loaded(name, version) if version else None
            assert expected == await self.store.load(api_key_decider, name)
            assert self.naive.holders(name) == await self.store.holders(name)

    def _append(self, order: Order) -> Append:
        changes = [
            grown(stream, at=max(0, self.naive.version(stream) + off), by=by)
            for stream, off, by in order.streams
        ]
        return step(
            *changes,
            at=second(self.now),
            conditions=tuple(self._condition(*each) for each in order.conditions),
        )

    def _condition(self, kind: str, name: str, number: int) -> Condition:
        match kind:
            case "rate":
                return WithinRate(name, per_seconds(number + 1, 5), second(self.now))
            case "budget" | "flag":
                rate = per_seconds(number + 1, 60)
                return WithinBudget(name, rate, second(self.now), "rule", over=kind == "flag")
            case "back":
                return GiveBack(name, timedelta(minutes=1), second(self.now - number))
            case "anew":
                return StartAnew(name)
            case "hold":
                return Hold(name, NAMES[number % 3])
            case "release":
                return Release(name, NAMES[number % 3])
            case "sole":
                return SoleHolder(name, NAMES[number % 3])
            case "retire":
                others = self.naive.holders(name) - {NAMES[number % 3]}
                return SoleHolder(name, NAMES[number % 3], frozenset(others))
            case _:
                return Unchanged(name, self.naive.version(name) - number // 3)


TestEventStore = StoreMachine.TestCase
# Every step goes to the disk and back: fewer lives than other machines have.
TestEventStore.settings = settings(max_examples=settings().max_examples // 4)
