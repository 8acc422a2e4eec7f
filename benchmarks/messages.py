"""Messages through their use cases in this process: sends with an armed fallback, and fired steps."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from attrs import define, field

from watchword.application.caller import ADMIN, THE_WORKER, Caller
from watchword.application.messages.planning.send_requests import (
    FallbackRequest,
    MessageRequest,
    SendRequest,
    StepRequest,
)
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.ports.event_store import Append, Due, DueKind, EventStore
from watchword.domain.channel import Channel
from watchword.domain.message import SmsContent
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.demo.seeding import TEMPLATE_ID
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired
from watchword.entrypoints.worker import run_due

from .plan import Plan

AT_ONCE = 64
FEW_WAITING = 1_000
_ARMED_IN_A_COMMIT = 5_000
_LOOKS = 200
_CONTENT = SmsContent(type="SI", text="Your tea is ready.")
_STEP = StepRequest(
    channel=Channel.SMS,
    sender="Watchword",
    content=_CONTENT,
    path="fallback.sms",
    content_path="fallback.sms",
)
# In seconds; long enough that nothing fires before the clock is moved.
_WAIT = 3_600


@define
class MessagesFound:
    """Seconds of each step, one figure per round; look-ups of due work by the number of waiting rows."""

    issued: list[float] = field(factory=list)
    sent: list[float] = field(factory=list)
    fired: list[float] = field(factory=list)
    looked: dict[int, list[float]] = field(factory=dict)


async def measure_messages(
    plan: Plan, directory: Path, advance: Callable[[str], None]
) -> MessagesFound:
    """Measure messages; `advance` gets the name of each round."""
    found = MessagesFound()
    numbers = (f"+44770{number:07}9" for number in itertools.count())
    for number in range(plan.rounds):
        advance(f"messages: round {number + 1} of {plan.rounds}")
        settings = Settings(data_dir=directory / f"messages-{number}", sandbox=True)
        async with wired(settings, run_due=False) as service:
            by = Caller(await service.accounts.resolve(THE_WORKER, "demo"), ADMIN, "req_benchmark")
            count = plan.pins_per_round
            found.issued.append(await _each(_issues(service, by, numbers, count), count))
            found.sent.append(await _each(_sends(service, by, numbers, count), count))
            found.fired.append(await _fire(service, count))
    async with wired(Settings(data_dir=directory / "waiting", sandbox=True), run_due=False) as few:
        for waiting in (FEW_WAITING, plan.waiting_runs):
            advance(f"due work: {waiting:,} runs waiting")
            await _arm(few.store, waiting)
            found.looked[waiting] = [await _look(few.store) for _ in range(plan.rounds)]
    return found


def _issues(
    service: Wired, by: Caller, numbers: Iterator[str], count: int
) -> Iterator[Awaitable[object]]:
    for number in itertools.islice(numbers, count):
        yield service.issuing.issue(by, IssueRequest(destination=number, template_id=TEMPLATE_ID))


def _sends(
    service: Wired, by: Caller, numbers: Iterator[str], count: int
) -> Iterator[Awaitable[object]]:
    fallback = FallbackRequest(
        fallback_id="demo", waittime_seconds=_WAIT, steps={Channel.SMS: _STEP}
    )
    for number in itertools.islice(numbers, count):
        message = MessageRequest(
            channel=Channel.SMS,
            sender="Watchword",
            recipient=number,
            content=_CONTENT,
            path="sms[0]",
            content_path="sms[0]",
        )
        yield service.sending_messages.send(by, SendRequest(messages=(message,), fallback=fallback))


async def _each(work: Iterator[Awaitable[object]], count: int) -> float:
    began = perf_counter()
    while group := list(itertools.islice(work, AT_ONCE)):
        await asyncio.gather(*group)
    return (perf_counter() - began) / count


async def _fire(service: Wired, count: int) -> float:
    assert service.sandbox is not None
    assert service.sandbox.clock is not None
    service.sandbox.clock.advance(timedelta(seconds=_WAIT))
    began = perf_counter()
    while await run_due(service.due_work):
        await service.provider_tasks.finish()
    return (perf_counter() - began) / count


async def _arm(store: EventStore, waiting: int) -> None:
    """Insert due rows for tomorrow."""
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    for start in range(0, waiting, _ARMED_IN_A_COMMIT):
        some = range(start, min(start + _ARMED_IN_A_COMMIT, waiting))
        due = tuple(Due(DueKind.FALLBACK, f"run_{number:032}", 1, tomorrow) for number in some)
        await store.append(Append(at=tomorrow, actor="", request_id="", due=due))


async def _look(store: EventStore) -> float:
    now = datetime.now(UTC)
    began = perf_counter()
    for _ in range(_LOOKS):
        await store.due(DueKind.FALLBACK, now, 256)
        await store.next_due(DueKind.FALLBACK)
    return (perf_counter() - began) / _LOOKS
