"""Finds the PINs and messages of an account that ended before a time, with what hangs on them (C-75)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, count
from typing import Any

from attrs import field, frozen

from ...domain.accounts.fallback_configuration import MAX_STEPS
from ...domain.fallback_run import FallbackArmed, FallbackRun, fallback_run_decider
from ...domain.fallback_run.commands import LONGEST_WAITTIME
from ...domain.pin import pin_decider
from ...domain.short_link import is_code, link_id
from ..concurrency.gathering import gathered
from ..journal import Journal
from ..ports.listings import Below, Equals, Query
from ..records.message import MessageRow
from ..records.pin import VerificationRow
from ..records.short_link import ShortLinkRow

# Streams of one pruning: its event stays small, and one that is repeated repeats little.
MOST_PINS, MOST_MESSAGES = 512, 128
# Messages that wait for their runs stand at the front of the list.
_MOST_PAGES = 8
_MOST_LINKS = 1_000
# A shared content may be sent for as long by the run of another message of its call.
LONGEST_RUN = timedelta(seconds=LONGEST_WAITTIME) * (MAX_STEPS + 1)


@frozen
class Ended:
    """Streams that had ended at a time, and the contents that they shared with others."""

    at: datetime
    streams: Collection[str] = ()
    contents: Collection[str] = ()


@frozen
class _Hanging:
    """What the events of some messages and runs name."""

    contents: dict[str, None] = field(factory=dict)
    links: dict[str, None] = field(factory=dict)

    def take(self, event: Any) -> None:
        for each in (event, *(event.steps if isinstance(event, FallbackArmed) else ())):
            content_id = getattr(each, "content_id", None)
            if content_id is not None:
                self.contents[content_id] = None
            codes = getattr(each, "link_codes", ())
            self.links.update((link_id(code), None) for code in codes if is_code(code))

    def add(self, other: _Hanging) -> None:
        self.contents.update(other.contents)
        self.links.update(other.links)


async def ended_pins(journal: Journal, account_id: str, before: datetime) -> Ended:
    """Return some PINs whose last code had expired by a time, the oldest first."""
    found = await journal.slice(
        Query(
            rows=VerificationRow,
            where=(
                Equals("account_id", account_id),
                Below("created_at", before),
                Below("expires_at", before),
            ),
            descending=False,
            page_size=MOST_PINS,
        )
    )
    ended = await gathered(partial(_expiry, journal, account_id), (each.pin_id for each in found))
    over = {pin_id: at for pin_id, at in ended.items() if at is not None and at < before}
    return Ended(max(over.values(), default=before), [*over])


async def _expiry(journal: Journal, account_id: str, pin_id: str) -> datetime | None:
    """Return when the last code of an account's PIN expires; None for the PIN of another account."""
    loaded = await journal.find(pin_decider, pin_id)
    return loaded.state.expires_at if loaded and loaded.state.account_id == account_id else None


async def ended_messages(journal: Journal, account_id: str, before: datetime) -> Ended:
    """
    Return some messages to which nothing had happened since a time, with their runs and short links.

    A message waits for its fallback run, and the messages of a run wait for each other no longer.
    """
    async for page in _pages(journal, account_id, before):
        run_ids = (each for row in page for each in (row.run_id, row.sent_by_run) if each)
        runs = await gathered(partial(_run, journal), run_ids)
        rows = [each for each in page if _is_over(each, runs, before)]
        if rows:
            return await _with_what_hangs_on(journal, rows, runs)
    return Ended(before)


async def _pages(
    journal: Journal, account_id: str, before: datetime
) -> AsyncIterator[Sequence[MessageRow]]:
    for number in count(1):
        page = await journal.slice(
            Query(
                rows=MessageRow,
                where=(
                    Equals("account_id", account_id),
                    Below("created_at", before),
                    Below("updated_at", before),
                ),
                descending=False,
                page=number,
                page_size=MOST_MESSAGES,
            )
        )
        yield page
        if len(page) < MOST_MESSAGES or number == _MOST_PAGES:
            return


async def _run(journal: Journal, run_id: str) -> FallbackRun | None:
    loaded = await journal.find(fallback_run_decider, run_id)
    return None if loaded is None else loaded.state


def _is_over(row: MessageRow, runs: Mapping[str, FallbackRun | None], before: datetime) -> bool:
    named = (runs.get(each) for each in (row.run_id, row.sent_by_run) if each)
    return all(run is None or (run.over and run.updated_at < before) for run in named)


async def _with_what_hangs_on(
    journal: Journal, rows: Sequence[MessageRow], runs: Mapping[str, FallbackRun | None]
) -> Ended:
    messages = [each.id for each in rows]
    own_runs = [each.run_id for each in rows if each.run_id and runs[each.run_id] is not None]
    hanging = _Hanging()
    for each in (await gathered(partial(_hanging_on, journal), (*messages, *own_runs))).values():
        hanging.add(each)
    links = await journal.rows(ShortLinkRow, [*hanging.links])
    own_links = {*links, *await _links_of(journal, {each.person_id for each in rows}, messages)}
    last = max(each.updated_at for each in rows)
    return Ended(last, (*messages, *own_runs, *sorted(own_links)), tuple(hanging.contents))


async def _hanging_on(journal: Journal, stream: str) -> _Hanging:
    found = _Hanging()
    for recorded in await journal.read_stream(stream):
        found.take(recorded.event)
    return found


async def _links_of(
    journal: Journal, people: Iterable[str], messages: Collection[str]
) -> Collection[str]:
    """Return the links of messages, which their people alone got."""
    wanted = frozenset(messages)

    async def of_person(person_id: str) -> Sequence[str]:
        links = await journal.slice(
            Query(
                rows=ShortLinkRow,
                where=(Equals("person_id", person_id),),
                descending=False,
                page_size=_MOST_LINKS,
            )
        )
        return [each.id for each in links if each.message_id in wanted]

    return [*chain.from_iterable((await gathered(of_person, people)).values())]
