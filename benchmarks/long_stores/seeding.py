"""Fills a store with many people: writes some as a service does, and copies all that it stored of them."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from attrs import frozen
from msgspec.structs import replace

from watchword.adapters.event_store.rows.time_text import time_text
from watchword.adapters.vault import Vault
from watchword.application.caller import THE_WORKER
from watchword.application.people.people import People
from watchword.application.ports.event_store import Append, EventStore, PersonRecord
from watchword.domain.conditions import Hold, Release, SoleHolder
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.composition.stores import open_to_read
from watchword.entrypoints.composition.vaults import unlock
from watchword.entrypoints.demo.seeding import TEMPLATE_ID
from watchword.entrypoints.settings import Settings

from ..appends import life_of_a_pin, sent_message
from ..plan import FEW
from .copying import DIGITS, ID_PART, OpenEvent, OpenRow, Original, numbered
from .filling import COLUMNS, ROW_KINDS, Filling, filling

# How often `seed` says that it goes on.
STEPS = 20
# People whose rows are added together.
_AT_ONCE = 500


@frozen
class Seeded:
    """Ids that a seeded store contains, its people and its number of events."""

    account_id: str
    pin_id: str
    message_id: str
    originals: int
    people: int
    events: int

    @property
    def number(self) -> str:
        """The number of the first person."""
        return self.number_of(0)

    def number_of(self, person: int) -> str:
        """Return the number of a person, who are numbered from 0."""
        copy, original = divmod(person, self.originals)
        return _number(original, f"{copy:06}" if copy else DIGITS)


@frozen
class _Written:
    """The appends that wrote all that is stored of one person, in their order."""

    number: str
    person_id: str
    has_pin: bool
    appends: Sequence[Append]


async def seed(
    settings: Settings,
    count: int,
    originals: int = FEW,
    advance: Callable[[], None] = lambda: None,
    *,
    pin_for: int = 1,
    age: timedelta = timedelta(hours=1),
) -> Seeded:
    """
    Write `count` people into an empty store of the sandbox.

    Each has a message, and one of `pin_for` has a verified PIN, the first of them `age` ago. `advance` is
    called `STEPS` times.
    """
    originals = min(originals, count)
    ids = [f"{ID_PART}{secrets.token_hex(13)}" for _ in range(originals)]
    async with wired(settings, run_due=False) as service:
        account_id = await service.accounts.resolve(THE_WORKER, "demo")
        lives = list(_lives(service.people, account_id, ids, pin_for, age))
        for stage in itertools.zip_longest(*(each.appends for each in lives)):
            await _write(service.store, [append for append in stage if append is not None])
    vault = Vault(None)
    store = await open_to_read(settings, vault)
    try:
        await unlock(vault, settings, store)
        people = await store.people_named([each.person_id for each in lives])
    finally:
        await store.close()
    copies = count // originals - 1
    events = await asyncio.to_thread(_copy, settings, vault, lives, people, copies, advance)
    return Seeded(
        account_id, f"pin_{ids[0]}", f"msg_{ids[0]}", originals, originals * (copies + 1), events
    )


def _lives(
    people: People, account_id: str, ids: Sequence[str], pin_for: int, age: timedelta
) -> Iterator[_Written]:
    first = datetime.now(UTC).replace(microsecond=999_999) - age
    for number, each in enumerate(ids):
        at = first + timedelta(seconds=number)
        recipient = _number(number)
        if has_pin := number % pin_for == 0:
            life = life_of_a_pin(people, account_id, recipient, at, f"pin_{each}")
            person_id = life.person_id
            message = sent_message(account_id, person_id, recipient, at, f"msg_{each}")
            appends: Sequence[Append] = (life.issued, life.dispatched, life.verified, message)
        else:
            person = people.recall_or_create(account_id, recipient)
            person_id = person.person_id
            message = sent_message(account_id, person_id, recipient, at, f"msg_{each}")
            appends = (replace(message, new_people=person.new_people),)
        yield _Written(recipient, person_id, has_pin, appends)


def _number(number: int, digits: str = DIGITS) -> str:
    # No ending that makes the sandbox reject a message or stay silent.
    return f"+1{digits}{number:04}9"


async def _write(store: EventStore, appends: Sequence[Append]) -> None:
    await asyncio.gather(*(store.append(append) for append in appends))


def _copy(
    settings: Settings,
    vault: Vault,
    lives: Sequence[_Written],
    people: Mapping[str, PersonRecord],
    copies: int,
    advance: Callable[[], None],
) -> int:
    """Add copies of some people to a store; return the number of its events."""
    told = 0
    with filling(settings) as store:
        originals = [_original(store, vault, each, people[each.person_id]) for each in lives]
        for copy in range(1, copies + 1):
            for start in range(0, len(originals), _AT_ONCE):
                rows: dict[str, list[Sequence[object]]] = defaultdict(list)
                for each in originals[start : start + _AT_ONCE]:
                    each.copy(copy, vault, rows)
                rows["uses"] += _uses_of_template(lives, start, copy)
                store.add(rows)
            while told < STEPS * copy // copies:
                told += 1
                advance()
        store.finish()
    for _ in range(told, STEPS):
        advance()
    return store.newest


def _original(store: Filling, vault: Vault, written: _Written, person: PersonRecord) -> Original:
    """Read and open all that is stored of one person."""
    key, person_id = person.key, person.person_id
    streams = sorted({each.stream for append in written.appends for each in append.changes})
    log = ", ".join(COLUMNS["stored_events"][:-1])
    return Original(
        person_id,
        person.account_id,
        written.number,
        None if person.verified_at is None else time_text(person.verified_at),
        [
            OpenEvent.of(row, key, vault)
            for each in reversed(streams)
            for row in store.read(
                f"SELECT {log} FROM stored_events WHERE originator_id = %s"
                " ORDER BY originator_version",
                each,
            )
        ],
        [
            OpenRow.of(table, row, key, vault)
            for table in ROW_KINDS
            for row in store.read(
                f"SELECT {', '.join(COLUMNS[table.name])} FROM {table.name} WHERE person_id = %s",
                person_id,
            )
        ],
        store.read("SELECT * FROM uses WHERE subject = %s", _sends_to(person_id)),
        _held(written.appends),
    )


def _held(appends: Sequence[Append]) -> list[tuple[str, str]]:
    """Return the pairs of subject and holder that appends leave."""
    held: dict[tuple[str, str], None] = {}
    for each in itertools.chain.from_iterable(append.conditions for append in appends):
        if isinstance(each, Hold | SoleHolder):
            held[each.subject, each.holder] = None
        elif isinstance(each, Release):
            held.pop((each.subject, each.holder), None)
    return list(held)


def _sends_to(person_id: str) -> str:
    return f"sends:{TEMPLATE_ID}:{person_id}"


def _uses_of_template(
    lives: Sequence[_Written], start: int, copy: int
) -> Iterator[tuple[str, int, str]]:
    # Uses of a template have the next numbers; each person has uses of its own.
    in_a_copy = sum(each.has_pin for each in lives)
    place = copy * in_a_copy + sum(each.has_pin for each in lives[:start])
    for each in lives[start : start + _AT_ONCE]:
        if each.has_pin:
            place += 1
            at = numbered(each.appends[0].at.isoformat(), copy)
            yield f"sends:{TEMPLATE_ID}", place, at
