"""
A message and its fallback through everything at once: never two sends by decision, never a silent end.

The use cases themselves run here, on a store in memory: nodes that crash in the middle of a send,
providers that take, refuse or hang, receipts that come before, at and after every moment, and clocks
that move. The pure decisions alone are in `test_fallback_run.py`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.application.house import House, build_house, node_on
from tests.application.post_office import WAIT, fallback, falls_back, send, step
from tests.application.stored_templates import keep_rcs, review_rcs
from tests.fakes.providers import ScriptedProvider
from watchword.application.audit.checking import Checking
from watchword.application.ports.channels import Accepted, Message, ProviderReport, Rejected
from watchword.domain.channel import Channel
from watchword.domain.fallback_run import (
    FallbackFired,
    FallbackRejected,
    FallbackRun,
    FallbackStoodDown,
    FallbackTriggered,
    fallback_run_decider,
)
from watchword.domain.message import MessageStatus, RcsTemplateContent, message_decider
from watchword.domain.receipt import Receipt, ReceiptStatus

T = TypeVar("T")

GREETING = RcsTemplateContent(message_type="template", template_code="greeting")


class MoodyProvider(ScriptedProvider):
    """Takes, refuses or hangs as its mood is; a reference that it took before is taken once."""

    deduplicates = True

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.mood = "takes"
        self.hanging: list[asyncio.Event] = []

    async def _answer(self, message: Message) -> Accepted | Rejected:
        if self.mood == "refuses":
            return Rejected("unknown_number", "Nobody has this number.")
        if self.mood == "hangs":
            let_go = asyncio.Event()
            self.hanging.append(let_go)
            await let_go.wait()
        return Accepted(f"taken-{message.reference}")


class MessageLife(RuleBasedStateMachine):
    """Actions of callers, providers, workers and crashes on a few messages."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()

    @initialize(two=st.booleans())
    def open(self, two: bool) -> None:
        """Configure a fallback of one step or of two."""
        self.provider = MoodyProvider()
        self.house: House = self.runner.run(self.built())
        self.template_id = self.do(keep_rcs(self.house))
        self.steps = (step(), step(GREETING, Channel.RCS)) if two else (step(),)
        self.do(falls_back(self.house, *(each.channel for each in self.steps)))
        self.calls: list[asyncio.Task[Any]] = []
        self.nodes = [self.house]

    async def built(self) -> House:
        """Build the use cases on the store that is under test."""
        return await build_house(self.provider, provider_timeout=30.0)

    def do(self, work: Awaitable[T]) -> T:
        """Run a call and everything begun before it, and return its result."""

        async def with_the_rest() -> T:
            told = await work
            await self.rest()
            return told

        return self.runner.run(with_the_rest())

    async def rest(self) -> None:
        """Let everything go on that can."""
        for _ in range(20):
            await asyncio.sleep(0)

    @rule(mood=st.sampled_from(["takes", "refuses", "hangs"]))
    def provider_changes_its_mood(self, mood: str) -> None:
        """Have the provider do something else from now on."""
        self.provider.mood = mood

    @rule()
    def somebody_sends(self) -> None:
        """Send a message; its answer may be long in coming."""

        async def begin() -> None:
            self.calls.append(asyncio.create_task(send(self.house, fallback=fallback(*self.steps))))

        if len(self.provider.messages) < 12:
            self.do(begin())

    @rule()
    def provider_answers_at_last(self) -> None:
        """Release every call that hangs."""
        hanging, self.provider.hanging = self.provider.hanging, []

        async def let_go() -> None:
            for each in hanging:
                each.set()

        self.do(let_go())

    @rule(which=st.integers(0, 11), status=st.sampled_from(ReceiptStatus))
    def receipt_comes(self, which: int, status: ReceiptStatus) -> None:
        """Report on any message that a provider was ever handed, taken or not."""
        if not self.provider.messages:
            return
        about = self.provider.messages[which % len(self.provider.messages)]
        report = ProviderReport(
            provider_message_id=f"taken-{about.reference}",
            receipt=Receipt(status=status, reported_at=self.house.clock.now()),
        )
        tracking = self.house.service.tracking_receipts
        self.do(tracking.track(about.channel_account_id, report))

    @rule(seconds=st.sampled_from([1, WAIT / 2, WAIT, WAIT, -5]))
    def clock_moves(self, seconds: float) -> None:
        """Let time pass, or set a clock back."""
        self.house.clock.move(seconds)
        self.house.clock.move_real(max(seconds, 0))

    @rule(approves=st.booleans())
    def operator_reviews(self, approves: bool) -> None:
        """Allow the template of the second step, or forbid it."""
        self.do(review_rcs(self.house, self.template_id, approves=approves))

    @rule()
    def worker_comes_by(self) -> None:
        """Run due work; sends go on by themselves."""
        self.do(self.house.firing.run_due())

    @rule()
    def two_nodes_come_by(self) -> None:
        """Two workers look at the same moment."""
        other = node_on(self.house)
        self.nodes.append(other)
        self.do(asyncio.gather(self.house.firing.run_due(), other.firing.run_due()))

    @rule()
    def dispatches_are_recovered(self) -> None:
        """Close, or repeat, the dispatches without a report."""
        self.do(self.house.recovering.run_due())

    @rule()
    def process_dies(self) -> None:
        """Forget all that is under way; another process takes over."""

        async def die() -> None:
            for node in self.nodes:
                node.service.provider_tasks.abandon()
            for call in self.calls:
                call.cancel()

        self.do(die())
        self.calls.clear()
        self.provider.hanging.clear()
        self.house = node_on(self.house)
        self.nodes.append(self.house)

    def finish(self) -> None:
        """Wait for all that any node has begun."""
        for each in self.nodes:
            self.do(each.service.provider_tasks.finish())

    def runs(self) -> dict[str, list[Any]]:
        """Return the events of every run."""
        found: dict[str, list[Any]] = {}
        for each in self.do(self.house.store.read_log(0, 10_000)):
            if each.stream.startswith("run_"):
                found.setdefault(each.stream, []).append(each.event)
        return found

    @invariant()
    def nothing_is_decided_twice(self) -> None:
        """One trigger and one fire a step; fired, stood down and rejected exclude each other."""
        if not hasattr(self, "house"):
            return
        for events in self.runs().values():
            kinds = Counter((type(each), getattr(each, "step", 0)) for each in events)
            for (kind, number), count in kinds.items():
                if kind in (FallbackTriggered, FallbackFired):
                    assert 1 == count
                if kind in (FallbackStoodDown, FallbackRejected):
                    assert not kinds[FallbackFired, number]

    @invariant()
    def nothing_is_sent_that_was_not_decided(self) -> None:
        """Every reference of a step was fired before; a caller's own is never sent again (D-50)."""
        if not hasattr(self, "house"):
            return
        fired = {
            each.message_id
            for events in self.runs().values()
            for each in events
            if isinstance(each, FallbackFired)
        }
        sent = Counter(each.reference for each in self.provider.messages)
        primaries = {
            each.stream
            for each in self.do(self.house.store.read_log(0, 10_000))
            if each.type == "MessageSubmitted"
        } - fired
        assert sent.keys() <= fired | primaries
        assert all(1 == sent[each] for each in primaries & sent.keys())

    def teardown(self) -> None:
        """Look at everything once more, and close the store."""
        try:
            if hasattr(self, "house"):
                self.look_at_the_end()
        finally:
            self.runner.run(self.closed())
            self.runner.close()

    async def closed(self) -> None:
        """Close the store that is under test."""

    def look_at_the_end(self) -> None:
        """Let workers come by until nothing is left, and compare the lists with the log."""
        self.provider.mood = "takes"
        for _ in range(6):
            self.provider_answers_at_last()
            self.clock_moves(WAIT)
            self.worker_comes_by()
            self.finish()
            self.dispatches_are_recovered()
            self.finish()
        for run_id in self.runs():
            run: FallbackRun = self.do(
                self.house.service.journal.load(fallback_run_decider, run_id)
            ).state
            assert run.over
            assert run.undispatched is None
            primary = self.do(
                self.house.service.journal.load(message_decider, run.message_id)
            ).state
            if run.status == "fired":
                assert primary.status is not MessageStatus.SENT
        assert () == self.do(Checking(self.house.service.journal).check()).differences


TestMessageLife = MessageLife.TestCase
TestMessageLife.settings = settings(stateful_step_count=30)
