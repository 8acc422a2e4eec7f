"""
Copies what a store has of a person, many times: each copy is a person with a key, ids and a number.

What is sealed is bound to its person, event and row. So a copy is sealed again, under a key of its
own (D-353).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from attrs import frozen

from watchword.adapters.event_store.log.lines import OpenLine, lines_of
from watchword.adapters.event_store.rows.row_table import RowTable
from watchword.adapters.event_store.rows.sealed_column import MARK, Members, has_members
from watchword.adapters.event_store.rows.searchable import hashed_value
from watchword.adapters.vault import Vault
from watchword.application.ports.event_store import PersonRecord
from watchword.application.ports.sealer import SealKey
from watchword.application.stored_subjects import stored_subject
from watchword.domain.destination import canonical

# The texts that copies replace, wherever they are: part of an id, of a number, and of a second.
ID_PART, DIGITS, FRACTION = "c0ffee", "918273", ".999999"
# An event's id ends with a random number, of which a copy replaces the last digits.
_EVENT_DIGITS = 6

_open_line = msgspec.json.Decoder(OpenLine).decode
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode
# Rows by table, in the order of its columns; those of the log without their positions.
Rows = Mapping[str, list[Sequence[Any]]]


@frozen
class Change:
    """What is different in one copy: its number, and its person in the place of the one before."""

    number: int
    person_before: str
    person: str

    def of(self, text: str) -> str:
        """Return a text of the original as the copy has it."""
        text = text.replace(ID_PART, f"{self.number:06x}").replace(self.person_before, self.person)
        return numbered(text, self.number)

    def event_id(self, event_id: str) -> str:
        """Return the id of an event's copy."""
        return f"{event_id[:-_EVENT_DIGITS]}{self.number:0{_EVENT_DIGITS}x}"


@frozen
class OpenEvent:
    """An event with its sealed line opened; the lines are texts."""

    stream: str
    version: int
    topic: str
    event_id: str
    lines: tuple[str, str, str]

    @classmethod
    def of(cls, stored: Sequence[Any], key: SealKey, vault: Vault) -> OpenEvent:
        """Open an event that is sealed for one person."""
        stream, version, topic, state = stored
        lines = lines_of(bytes(state))
        event_id = _open_line(lines.open).id
        opened = vault.open(key, event_id, lines.sealed.decode()) if lines.sealed else b""
        texts = (lines.open.decode(), opened.decode(), lines.secret.decode())
        return cls(stream, version, topic, event_id, texts)

    def copy(self, change: Change, vault: Vault) -> tuple[str, int, str, bytes]:
        """Return the copy as the log has it."""
        event_id = change.event_id(self.event_id)
        first, sealed, secret = map(change.of, self.lines)
        if sealed:
            sealed = vault.seal(change.person, event_id, sealed.encode())
        first = first.replace(self.event_id, event_id, 1)
        state = f"{first}\n{sealed}\n{secret}".encode()
        return change.of(self.stream), self.version, self.topic, state


@frozen
class OpenRow:
    """A row of a read model with its sealed columns opened: `members` are marks and JSON."""

    table: RowTable[Any]
    values: Sequence[Any]
    members: Sequence[tuple[int, str] | None]

    @classmethod
    def of(cls, table: RowTable[Any], stored: Sequence[Any], key: SealKey, vault: Vault) -> OpenRow:
        """Open a row that is sealed for one person."""
        assert table.personal is not None
        width = len(stored) - len(table.personal.sealed)
        members: list[tuple[int, str] | None] = []
        for column, text in zip(table.personal.sealed, stored[width:], strict=True):
            if text is None:
                members.append(None)
                continue
            found = column.opened(text, vault, key, str(stored[0])) if has_members(text) else {}
            members.append((int(text[:MARK], 16), _encode(found).decode()))
        return cls(table, stored[:width], members)

    def copy(self, change: Change, vault: Vault) -> Sequence[Any]:
        """Return the copy as the table has it."""
        personal = self.table.personal
        assert personal is not None
        values = [change.of(each) if isinstance(each, str) else each for each in self.values]
        opened: dict[str, Any] = {}
        sealed: list[str | None] = []
        for column, found in zip(personal.sealed, self.members, strict=True):
            if found is None:
                sealed.append(None)
                continue
            mark, text = found
            members = _decode(change.of(text))
            opened.update(members)
            sealed.append(
                column.sealed(Members(mark, members), vault, change.person, str(values[0]))
            )
        account = str(values[personal.owners[-1]])
        for name, place in personal.findable.items():
            values[place] = hashed_value(self.table, name, account, opened.get(name), vault)
        return [*values, *sealed]


@frozen
class Original:
    """
    All that a store has of one person.

    `holders` are pairs of subject and holder, the subjects in clear; `uses` are those of the person alone.
    `verified_at` is the text of the last verification's time.
    """

    person_id: str
    account_id: str
    number: str
    verified_at: str | None
    events: Sequence[OpenEvent]
    rows: Sequence[OpenRow]
    uses: Sequence[Sequence[Any]]
    holders: Sequence[tuple[str, str]]

    def copy(self, number: int, vault: Vault, into: Rows) -> None:
        """Add the rows of one copy to those of each table."""
        copied = canonical(numbered(self.number, number))
        person = vault.new_person(self.account_id, vault.hmac(self.account_id, copied))
        change = Change(number, self.person_id, person.person_id)
        verified_at = None if self.verified_at is None else change.of(self.verified_at)
        into["people"].append(_person_row(person, verified_at))
        into["stored_events"] += [each.copy(change, vault) for each in self.events]
        into["uses"] += [tuple(map(_changed(change), each)) for each in self.uses]
        into["holders"] += [
            (stored_subject(change.of(subject), vault), change.of(holder))
            for subject, holder in self.holders
        ]
        for each in self.rows:
            into[each.table.name].append(each.copy(change, vault))


def numbered(text: str, copy: int) -> str:
    """Return a text with the digits of a copy in its numbers and times."""
    digits = f"{copy:06}"
    return text.replace(DIGITS, digits).replace(FRACTION, f".{digits}")


def _changed(change: Change) -> Any:
    return lambda value: change.of(value) if isinstance(value, str) else value


def _person_row(person: PersonRecord, verified_at: str | None) -> Sequence[Any]:
    key = person.key
    whose = person.hmac, person.account_id, person.person_id
    return *whose, key.wrapped, key.version, verified_at
