"""The worker does each kind of due work in time, on its own, and rests in between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest

from tests.application.house import build_house
from tests.contracts.event_store.histories import step
from tests.fakes.loops import SkippingLoop
from tests.fakes.stores import TroubledStore
from tests.fakes.webs import ScriptedWeb
from tests.vaults import KEYRING, new_vault
from watchword.adapters.channels.sandbox import SandboxProvider
from watchword.adapters.clock import MovableClock
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.randomness import SecretRandomness
from watchword.adapters.sealing import AesGcmSealer
from watchword.application.channel_accounts.channel_secrets import ChannelSecrets
from watchword.application.channel_accounts.checking_configs import CheckingConfigs
from watchword.application.channel_accounts.last_receipts import LastReceipts
from watchword.application.channel_accounts.managing_channel_accounts import ManagingChannelAccounts
from watchword.application.channel_accounts.public_hosts import PublicHosts
from watchword.application.channel_accounts.showing_channel_accounts import ShowingChannelAccounts
from watchword.application.concurrency.bounded_tasks import BoundedTasks
from watchword.application.due_work import DueWork
from watchword.application.forgetting import forgetting
from watchword.application.journal import Journal
from watchword.application.messages.tracking.receiving_messages import ReceivingMessages
from watchword.application.messages.tracking.tracking_receipts import TrackingReceipts
from watchword.application.people.people import People
from watchword.application.ports.event_store import LONGEST_SLEEP, Due, DueKind, EventStore
from watchword.application.provider_calls import ProviderCalls
from watchword.entrypoints.addresses.callbacks import callback_path, callbacks_under
from watchword.entrypoints.sandbox.controls import Sandbox
from watchword.entrypoints.sandbox.phones import SandboxPhones
from watchword.entrypoints.worker import run_worker

DESTINATION = "+919812345610"
START = datetime(2031, 5, 4, 12, tzinfo=UTC)
LONGEST = LONGEST_SLEEP.total_seconds()
BATCH = 3


class LoopClock:
    """Follows the loop, which skips idle time; `ahead` is the offset of the service's clock."""

    def __init__(self) -> None:
        self._began = asyncio.get_running_loop().time()
        self.ahead = timedelta(0)

    def now(self) -> datetime:
        """Tell the service's time."""
        return self.real() + self.ahead

    def real(self) -> datetime:
        """Tell the machine's time."""
        return START + timedelta(seconds=self.seconds())

    def seconds(self) -> float:
        """Tell the machine's time from the start."""
        return asyncio.get_running_loop().time() - self._began


class RecordingWork:
    """Removes its due rows, and notes the times of its looks and its work."""

    def __init__(self, kind: DueKind | None, store: EventStore, clock: LoopClock) -> None:
        self.kind = kind
        self._store = store
        self._clock = clock
        self.looked: list[float] = []
        self.done: list[tuple[str, float]] = []

    async def run_due(self) -> int:
        """Do at most three."""
        self.looked.append(round(self._clock.seconds(), 1))
        if self.kind is None:
            return 0
        due = await self._store.due(self.kind, self.kind.now(self._clock), BATCH)
        await self._store.append(step(done=tuple(due)))
        self.done += [(each.stream, self.looked[-1]) for each in due]
        return len(due)


class FailingWork(RecordingWork):
    """Never gets anything done."""

    async def run_due(self) -> int:
        """Fail, with its work in the text of the error."""
        await super().run_due()
        raise LookupError(f"no row for {DESTINATION}")


class LazyWork(RecordingWork):
    """Leaves its due rows in place."""

    async def run_due(self) -> int:
        """Look, and do nothing."""
        await asyncio.sleep(0)
        self.looked.append(self._clock.seconds())
        return 0


class House:
    """A store, a clock, and a worker that a test runs."""

    def __init__(self) -> None:
        self.store = TroubledStore(MemoryEventStore())
        self.clock = LoopClock()

    async def puts(self, kind: DueKind, name: str, after: float) -> None:
        """Put a due row so many seconds from the start, by the clock of its kind when not moved."""
        due = Due(kind, name, 1, START + timedelta(seconds=after))
        await self.store.append(step(due=(due,)))

    async def works(self, seconds: float, *work: DueWork) -> None:
        """Let the worker do this for so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await run_worker(Journal(self.store), self.clock, work)


def in_no_time(story: Callable[[House], Awaitable[None]]) -> None:
    """Tell a story on a loop that skips all waiting."""

    async def told() -> None:
        await story(House())

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(told())


def test_work_is_done_when_its_time_has_come() -> None:
    """Not earlier or later, however many looks are in between."""

    async def story(house: House) -> None:
        work = RecordingWork(DueKind.FALLBACK, house.store, house.clock)
        await house.puts(DueKind.FALLBACK, "second", 25)
        await house.puts(DueKind.FALLBACK, "first", 4)
        await house.works(30, work)

        assert [("first", 4.0), ("second", 25.0)] == work.done

    in_no_time(story)


def test_nothing_to_do_is_looked_at_now_and_then() -> None:
    """The worker looks once in the longest sleep, with due rows or without."""

    async def story(house: House) -> None:
        rowless = RecordingWork(None, house.store, house.clock)
        idle = RecordingWork(DueKind.PARKED_RECEIPT, house.store, house.clock)
        await house.works(3 * LONGEST + 1, rowless, idle)

        assert [0.0, LONGEST, 2 * LONGEST, 3 * LONGEST] == rowless.looked == idle.looked

    in_no_time(story)


def test_an_append_wakes_the_worker_early() -> None:
    """A due row that comes during a sleep is done at its time, even at once."""

    async def story(house: House) -> None:
        work = RecordingWork(DueKind.FALLBACK, house.store, house.clock)
        working = asyncio.create_task(house.works(9, work))
        await asyncio.sleep(2)
        await house.puts(DueKind.FALLBACK, "later", 8)
        await house.puts(DueKind.FALLBACK, "soon", 5)
        await house.puts(DueKind.FALLBACK, "now", 1)
        await working

        assert [("now", 2.0), ("soon", 5.0), ("later", 8.0)] == work.done

    in_no_time(story)


def test_a_later_row_or_another_kind_wakes_nobody() -> None:
    """A worker that sleeps until second 3 is not woken for later rows."""

    async def story(house: House) -> None:
        work = RecordingWork(DueKind.FALLBACK, house.store, house.clock)
        await house.puts(DueKind.FALLBACK, "first", 3)
        working = asyncio.create_task(house.works(3.5, work))
        await asyncio.sleep(1)
        await house.puts(DueKind.FALLBACK, "later", 4)
        await house.puts(DueKind.ORPHANED_DISPATCH, "orphan", 1)
        await working

        assert [("first", 3.0)] == work.done
        assert {0.0, 3.0} == set(work.looked)

    in_no_time(story)


def test_a_batch_is_followed_by_the_next() -> None:
    """More than one batch that is due is done without a sleep in between."""

    async def story(house: House) -> None:
        work = RecordingWork(DueKind.FALLBACK, house.store, house.clock)
        for number in range(2 * BATCH + 1):
            await house.puts(DueKind.FALLBACK, f"run-{number}", 0)
        await house.works(1, work)

        assert [0.0] * (2 * BATCH + 1) == [at for _, at in work.done]

    in_no_time(story)


def test_each_kind_goes_by_its_clock() -> None:
    """Moving the service's time on brings fallbacks and parked receipts near, and no orphan (D-11)."""

    async def story(house: House) -> None:
        work = [RecordingWork(kind, house.store, house.clock) for kind in DueKind]
        for kind in DueKind:
            await house.puts(kind, kind, 605)
        house.clock.ahead = timedelta(seconds=600)
        await house.works(LONGEST, *work)

        assert {
            DueKind.FALLBACK: [("fallback", 5.0)],
            DueKind.PARKED_RECEIPT: [("parked_receipt", 5.0)],
            DueKind.ORPHANED_DISPATCH: [],
            DueKind.CALLBACK: [("callback", 5.0)],
            DueKind.REMOVED_FILE: [("removed_file", 5.0)],
            DueKind.TEMPLATE_SUBMISSION: [("template_submission", 5.0)],
            DueKind.ERASURE: [("erasure", 5.0)],
            DueKind.RETENTION: [("retention", 5.0)],
        } == {each.kind: each.done for each in work}

    in_no_time(story)


def test_a_clock_that_moves_is_noticed() -> None:
    """Work that a moved clock makes due is done within the longest sleep."""

    async def story(house: House) -> None:
        work = RecordingWork(DueKind.FALLBACK, house.store, house.clock)
        await house.puts(DueKind.FALLBACK, "run", 3600)
        working = asyncio.create_task(house.works(2 * LONGEST, work))
        await asyncio.sleep(1)
        house.clock.ahead = timedelta(hours=1)
        await working

        assert [("run", LONGEST)] == work.done

    in_no_time(story)


def test_what_is_put_behind_a_clock_that_moved_is_done_in_time() -> None:
    """This holds even if the clock has passed the time that the worker sleeps to."""

    async def story(house: House) -> None:
        work = RecordingWork(DueKind.FALLBACK, house.store, house.clock)
        working = asyncio.create_task(house.works(LONGEST - 1, work))
        await asyncio.sleep(1)
        house.clock.ahead = timedelta(hours=1)
        await house.puts(DueKind.FALLBACK, "run", 3603)
        await working

        assert [("run", 3.0)] == work.done

    in_no_time(story)


def test_a_clock_that_steps_back_prolongs_no_sleep() -> None:
    """The longest sleep is measured by the monotonic clock."""

    async def story(house: House) -> None:
        work = RecordingWork(DueKind.FALLBACK, house.store, house.clock)
        working = asyncio.create_task(house.works(2 * LONGEST + 1, work))
        await asyncio.sleep(1)
        house.clock.ahead = -timedelta(hours=1)
        await house.puts(DueKind.FALLBACK, "run", 5)
        await working

        assert [0.0, LONGEST, 2 * LONGEST] == work.looked

    in_no_time(story)


def test_a_failing_kind_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """The others are done in time; the failing one is tried again, not at once."""

    async def story(house: House) -> None:
        failing = FailingWork(DueKind.ORPHANED_DISPATCH, house.store, house.clock)
        work = RecordingWork(DueKind.FALLBACK, house.store, house.clock)
        await house.puts(DueKind.FALLBACK, "run", 7)
        await house.works(LONGEST + 1, failing, work)

        assert [("run", 7.0)] == work.done
        assert [0.0, LONGEST] == failing.looked

    in_no_time(story)

    assert 2 == caplog.text.count("due_work_failed")


def test_work_that_is_left_lying_is_no_tight_loop() -> None:
    """Rows that stay due are looked at a few times a second at most."""

    async def story(house: House) -> None:
        lazy = LazyWork(DueKind.FALLBACK, house.store, house.clock)
        await house.puts(DueKind.FALLBACK, "run", 0)
        await house.works(1, lazy)

        assert 20 >= len(lazy.looked)

    in_no_time(story)


def test_moving_the_sandboxes_clock_does_all_that_is_due() -> None:
    """Every kind, batch after batch, before the answer with the new time (C-39)."""

    async def story(house: House) -> None:
        work = [RecordingWork(kind, house.store, house.clock) for kind in DueKind]
        for kind in DueKind:
            for number in range(BATCH + 1):
                await house.puts(kind, f"{number}", 0)
        provider = SandboxProvider(house.clock.now)
        journal, randomness = Journal(house.store), SecretRandomness()
        secrets = ChannelSecrets(journal, AesGcmSealer(KEYRING))
        showing = ShowingChannelAccounts(
            ProviderCalls(journal, {}, secrets, 1.0, clock=house.clock),
            LastReceipts(),
            callbacks_under(None),
            callback_path,
        )
        phones = SandboxPhones(
            provider,
            journal,
            ManagingChannelAccounts(
                journal,
                CheckingConfigs({}, ()),
                PublicHosts(ScriptedWeb()),
                secrets,
                showing,
                randomness,
                house.clock,
            ),
            TrackingReceipts(journal, randomness, LastReceipts(), house.clock),
            ReceivingMessages(journal, People(journal, new_vault()), randomness, house.clock),
            "acc_demo",
        )
        sandbox = Sandbox(
            provider, MovableClock(), house.store, work, (BoundedTasks(1, 1),), phones
        )
        await sandbox.advance(timedelta(seconds=1))

        assert [BATCH + 1] * len(DueKind) == [len(each.done) for each in work]

    in_no_time(story)


def test_a_failure_is_logged_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    """The line has kind and place, and not the error's text."""

    async def story(house: House) -> None:
        await house.works(1, FailingWork(DueKind.FALLBACK, house.store, house.clock))

    in_no_time(story)

    assert "LookupError" in caplog.text
    assert "test_worker.py" in caplog.text
    assert DESTINATION not in caplog.text


def test_a_store_out_of_reach_is_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    """No failure of the service: a line for each kind, and the next look."""

    async def story(house: House) -> None:
        house.store.reachable = False
        use_cases = await build_house()
        use_cases.store.reachable = False
        answers, *_ = forgetting(use_cases.service.journal, use_cases.clock)
        await house.works(1, use_cases.recovering, answers)

    in_no_time(story)

    assert 2 == caplog.text.count("due_work_waits")
    assert {"WARNING"} == {each.levelname for each in caplog.records}
