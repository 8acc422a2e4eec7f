"""
`python -m benchmarks.statistics`: what the statistics cost, and how long their answers take.

The follower counts a log of PINs that were issued, dispatched and verified. Then rows of a million PINs in
thirty days are written, with ten templates, five countries and four channel accounts, and asked for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from watchword.adapters.clock import SystemClock
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.vault import Vault
from watchword.application.caller import THE_WORKER, Caller
from watchword.application.journal import Journal, beginning
from watchword.application.log_follower import LogFollower
from watchword.application.log_wakeup import LogWakeup
from watchword.application.people.people import People, new_people_of
from watchword.application.ports.event_store import Outline
from watchword.application.statistics.asking import AskingStatistics, Question
from watchword.application.statistics.eras import FOLLOWER, era_at
from watchword.application.statistics.following import BATCH, FollowingStatistics
from watchword.application.statistics.rows import counts_in, statistics_key, statistics_row
from watchword.application.statistics.views import By, Group
from watchword.domain.channel import Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.decider import Decision
from watchword.domain.pin import PinDispatched, PinIssued, PinVerified, pin_decider
from watchword.domain.rate_limit import Rate
from watchword.domain.statistics import Part, Place

_AT_ONCE = 500
_TEMPLATES, _DAYS, _ACCOUNT = 10, 30, "acc_1"
_COUNTRIES = ("IN", "GB", "DE", "AE", None)


@click.command()
@click.option("--pins", default=20_000, help="The PINs of the log that is counted.")
def main(pins: int) -> None:
    """Measure, and print the figures."""
    asyncio.run(_measure(pins))


async def _measure(pins: int) -> None:
    vault = Vault.random()
    async with _store(vault) as journal:
        await _log(journal, People(journal, vault), pins)
        await _count(journal, pins)
        rows = await _rows(journal)
        click.echo(f"rows of a million PINs: {rows:,}")
        asking = AskingStatistics(journal, SystemClock())
        for group in (None, *Group):
            for by in By:
                since = datetime.now(UTC) - timedelta(days=_DAYS)
                began = time.perf_counter()
                question = Question(account_id=_ACCOUNT, since=since, by=by, group=group)
                answer = await asking.ask(question)
                taken = 1_000 * (time.perf_counter() - began)
                sent = sum(each.sent for each in answer.data)
                click.echo(
                    f"{by} by {group}: {taken:.0f} ms, {len(answer.data):,} rows, {sent:,} sent"
                )


@asynccontextmanager
async def _store(vault: Vault) -> AsyncIterator[Journal]:
    with TemporaryDirectory(dir="var") as folder:
        store = await SqliteEventStore.open(Path(folder) / "store.db", vault=vault)
        try:
            yield Journal(store)
        finally:
            await store.close()


async def _log(journal: Journal, people: People, pins: int) -> None:
    """Write a log in which appends of many PINs follow each other."""
    guest = people.recall_or_create(_ACCOUNT, "+447700900123")
    by = Caller(_ACCOUNT, "key_1", "req_1")
    now = datetime.now(UTC)
    await journal.write(by, now, new_people=new_people_of((guest,)))
    for start in range(0, pins, _AT_ONCE):
        changes = [
            beginning(pin_decider, f"pin_{number}", _life(number, guest.person_id, now))
            for number in range(start, min(start + _AT_ONCE, pins))
        ]
        await journal.write(by, now, *changes)


def _life(number: int, person_id: str, now: datetime) -> Decision:
    channels = (Channel.SMS,)
    issued = PinIssued(
        at=now,
        account_id=_ACCOUNT,
        template_id=f"tpl_{number % _TEMPLATES}",
        person_id=person_id,
        destination="+447700900123",
        channels=channels,
        code_hash="1$hash",
        expires_at=now + timedelta(minutes=10, microseconds=number),
        attempts=5,
        verify_limit=Rate("1/3s"),
        country=_COUNTRIES[number % len(_COUNTRIES)],
    )
    accepted = ChannelOutcome(
        channel=Channel.SMS, channel_account_id="cha_1", status=OutcomeStatus.ACCEPTED
    )
    dispatched = PinDispatched(at=now, issue=1, outcomes=(accepted,))
    verified = PinVerified(at=now + timedelta(seconds=number % 40), issue=1)
    return Decision((issued, dispatched, verified))


async def _count(journal: Journal, pins: int) -> None:
    clock = SystemClock()
    following = FollowingStatistics(journal, clock)
    held: list[float] = []

    async def timed(batch: Sequence[Outline]):  # type: ignore[no-untyped-def]  # as `react` has it
        began = time.perf_counter()
        try:
            return await following.react(batch)
        finally:
            held.append(time.perf_counter() - began)

    follower = LogFollower(
        FOLLOWER, journal, clock, LogWakeup(), following.read, timed, batch=BATCH
    )
    began, cpu = time.perf_counter(), time.process_time()
    while await follower.run_due():
        pass
    cpu, taken = time.process_time() - cpu, time.perf_counter() - began
    click.echo(
        f"follower: {1e6 * cpu / pins:.0f} us CPU per PIN, {3 * pins / taken:,.0f} events/s,"
        f" reaction to {BATCH} events at most {1_000 * max(held):.1f} ms"
    )


async def _rows(journal: Journal) -> int:
    """Write the rows of a million PINs."""
    first = int(time.time()) // 3_600 - 24 * _DAYS + 1
    places = [
        Place(_ACCOUNT, hour, Part.SEND, f"tpl_{template}", country)
        for hour in range(first, first + 24 * _DAYS)
        for template in range(_TEMPLATES)
        for country in _COUNTRIES
    ]
    places += [
        Place(_ACCOUNT, hour, Part.CHANNEL, None, None, "sms", "http", f"cha_{number}")
        for hour in range(first, first + 24 * _DAYS)
        for number in range(4)
    ]
    each = 1_000_000 // (24 * _DAYS * _TEMPLATES * len(_COUNTRIES))
    counts = {**counts_in(None), "sent": each, "verified": each, "within_20": each}
    rows = [
        statistics_row(f"filled|{statistics_key(place)}", era_at(0), place, counts)
        for place in places
    ]
    for start in range(0, len(rows), 1_000):
        some = tuple(rows[start : start + 1_000])
        await journal.write(THE_WORKER, datetime.now(UTC), rows=some)
    return len(rows)


if __name__ == "__main__":
    main()
