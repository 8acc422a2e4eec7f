"""An append in stored form, and the rows that a batch writes to the tables beside the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from ....application.ports.event_store import Append, PersonRecord, TallyCorrection
from ....application.ports.redacted import Redacted
from ....application.ports.sealer import SealKey
from ..log.stored_event import StoredEvent
from ..rows.row_shape import RowShape
from ..rows.time_text import time_text
from .idempotency import KeyRecord
from .model_rows import ModelRows
from .settling import Writes

# The name in `positions` of the newest event's position. It never goes back, even if events are deleted
# by hand, so that no position ever means two events (D-315).
LOG = "log"
SELECT_PERSON = "SELECT person, account, hmac, key_version, wrapped_key, verified_at FROM people"
SELECT_KEY = (
    "SELECT fingerprint, owner, lease_until, taken_at, person, answer FROM idempotency_keys"
)


class PackedRepair(Redacted, frozen=True, array_like=True):
    """
    A repair in stored form.

    `rows` are pairs of table name and values, `stray_rows` of table name and key, and `stray_holders` of
    holder and subject.
    """

    rows: tuple[tuple[str, list[Any]], ...] = ()
    stray_rows: tuple[tuple[str, str], ...] = ()
    stray_holders: tuple[tuple[str, str], ...] = ()
    stray_due: tuple[tuple[str, str, int], ...] = ()
    tallies: tuple[TallyCorrection, ...] = ()


class PackedAppend(Redacted, frozen=True):
    """
    An append in stored form, built before it is queued for the writer.

    `rows` are pairs of table name and values; `settings` are pairs of name and value.
    """

    append: Append
    events: Sequence[StoredEvent] = ()
    rows: Sequence[tuple[str, Sequence[Any]]] = ()
    settings: tuple[tuple[str, str], ...] = ()
    repair: PackedRepair | None = None


@frozen
class TableRows:
    """
    The rows that a batch inserts into each table, and the keys of the rows that it deletes.

    A row that one append inserts and a later one deletes is only among the deleted keys. `models` holds
    the rows of read models by table name; those in `whole` replace a row in all columns, and of
    `models_gone` the keys are there. No row is in two of the three.
    """

    uses: Sequence[tuple[Any, ...]]
    holders: Sequence[tuple[Any, ...]]
    holders_gone: Sequence[tuple[Any, ...]]
    due: Sequence[tuple[Any, ...]]
    due_gone: Sequence[tuple[Any, ...]]
    seal_keys: Sequence[tuple[Any, ...]]
    seal_keys_gone: Sequence[tuple[Any, ...]]
    people: Sequence[tuple[Any, ...]]
    people_gone: Sequence[tuple[Any, ...]]
    verified: Sequence[tuple[Any, ...]]
    tallies: Sequence[tuple[Any, ...]]
    tallies_gone: Sequence[tuple[Any, ...]]
    positions: Sequence[tuple[Any, ...]]
    positions_gone: Sequence[tuple[Any, ...]]
    models: Mapping[str, Sequence[Sequence[Any]]]
    whole: Mapping[str, Sequence[Sequence[Any]]]
    models_gone: Mapping[str, Sequence[Sequence[Any]]]
    settings: Sequence[tuple[Any, ...]]
    keys: Sequence[tuple[Any, ...]]


def table_rows(
    writes: Writes, accepted: Iterable[PackedAppend], shapes: Mapping[str, RowShape]
) -> TableRows:
    """
    Collect the rows that accepted appends write beside their events, in the order of the columns.

    `shapes` holds the shape of each read model by table name.
    """
    models = ModelRows(shapes)
    due: dict[tuple[str, str, int], str | None] = {}
    seals: dict[str, SealKey | None] = {}
    settings: dict[str, str] = {}
    for packed in accepted:
        append = packed.append
        for table, values in packed.rows:
            models.put(table, values)
        for each in append.due:
            due[each.key] = time_text(each.at)
        for each in append.done:
            due[each.key] = None
        if (repair := packed.repair) is not None:
            models.replace(repair.rows)
            models.remove(repair.stray_rows)
            due.update(dict.fromkeys(repair.stray_due))
        for key in append.keeping:
            seals[key.name] = key
        for name in append.dropping:
            seals[name] = None
        settings.update(packed.settings)
    return TableRows(
        uses=[(*use, time_text(at)) for use, at in writes.uses.items()],
        holders=[pair for pair, holds in writes.held.items() if holds],
        holders_gone=[pair for pair, holds in writes.held.items() if not holds],
        due=[(*row, at) for row, at in due.items() if at is not None],
        due_gone=[row for row, at in due.items() if at is None],
        seal_keys=[
            (each.name, each.version, each.wrapped) for each in seals.values() if each is not None
        ],
        seal_keys_gone=[(name,) for name, kept in seals.items() if kept is None],
        people=[_person_row(each) for each in writes.people.values() if each is not None],
        people_gone=[(hmac,) for hmac, person in writes.people.items() if person is None],
        verified=[(hmac, time_text(at)) for hmac, at in writes.verified.items()],
        tallies=[(*key, *row) for key, row in writes.tallies.items() if row is not None],
        tallies_gone=[key for key, row in writes.tallies.items() if row is None],
        positions=[(name, at) for name, at in writes.positions.items() if at],
        positions_gone=[(name,) for name, at in writes.positions.items() if not at],
        models=models.put_rows(),
        whole=models.whole_rows(),
        models_gone=models.gone_keys(),
        settings=list(settings.items()),
        keys=[_key_row(scope, record) for scope, record in writes.keys.items()],
    )


def key_record(row: Sequence[Any]) -> KeyRecord:
    """Return the Idempotency-Key in a row that `SELECT_KEY` selected."""
    fingerprint, owner, lease_until, taken_at, person, answer = row
    at = datetime.fromisoformat(taken_at)
    return KeyRecord(fingerprint, owner, lease_until, at, answer, person)


def person_record(row: Sequence[Any]) -> PersonRecord:
    """Return the person in a row that `SELECT_PERSON` selected."""
    person_id, account_id, hmac, version, wrapped, verified_at = row
    key = SealKey(person_id, version, bytes(wrapped))
    at = None if verified_at is None else datetime.fromisoformat(verified_at)
    return PersonRecord(person_id, account_id, hmac, key, at)


def _person_row(person: PersonRecord) -> tuple[Any, ...]:
    key = person.key
    at = None if person.verified_at is None else time_text(person.verified_at)
    return person.hmac, person.account_id, person.person_id, key.wrapped, key.version, at


def _key_row(scope: str, record: KeyRecord) -> tuple[Any, ...]:
    taken_at = time_text(record.taken_at)
    lease = record.owner, record.lease_until, taken_at
    return scope, record.fingerprint, *lease, record.answer, record.person_id
