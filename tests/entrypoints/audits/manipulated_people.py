"""Manipulations of people, their keys and what is sealed for them, by someone without the code key (C-91)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from attrs import frozen

from tests.entrypoints.audits.audited_store import STORE
from tests.entrypoints.audits.manipulations import Change, newest, sql
from watchword.adapters.keyring import Keyring
from watchword.adapters.vault import INDEX, KeyWrapping
from watchword.application.audit.differences import Kind

_MARK = 4
_SEALED_LINE = "instr(CAST(state AS TEXT), char(10))"
# Two people who live, and have a PIN each.
_PEOPLE = (
    "(SELECT person_id FROM verifications"
    " WHERE reference_id IS NULL AND person_id IN (SELECT person FROM people))"
)
_ONE = f"(SELECT min(person) FROM people WHERE person IN {_PEOPLE})"
_OTHER = f"(SELECT max(person) FROM people WHERE person IN {_PEOPLE})"
_PASSING = (
    "(SELECT json_extract(substr(state, 1, instr(state, char(10)) - 1), '$.person') FROM stored_events"
    f" WHERE rowid = {newest('PinVerified')})"
)
_ERASED = "(SELECT max(originator_id) FROM stored_events WHERE topic LIKE 'PersonErased/%')"
_OF_ONE = (
    f"(SELECT min(pin_id) FROM verifications WHERE person_id = {_ONE} AND reference_id IS NULL)"
)
_OF_OTHER = (
    f"(SELECT max(pin_id) FROM verifications WHERE person_id = {_OTHER} AND reference_id IS NULL)"
)
_OF_ERASED = f"(SELECT max(id) FROM consents WHERE person_id = {_ERASED})"
_ACCOUNT = "(SELECT min(name) FROM seal_keys WHERE name LIKE 'acc_%')"
_RUN = "(SELECT min(name) FROM seal_keys WHERE name LIKE 'run_%')"
_WAITING = "(SELECT min(name) FROM seal_keys WHERE name LIKE 'rcp_%')"
_CALLBACK = "(SELECT min(name) FROM seal_keys WHERE name LIKE 'cbk_%')"
_DELIVERY = (
    "(SELECT min(id) FROM callback_deliveries"
    f" WHERE length(sealed) > {_MARK} AND person_id IN (SELECT person FROM people))"
)
_REFERRED = "max(id) FROM messages WHERE reference IS NOT NULL"


@frozen
class Attack:
    """
    A manipulation, the kind and the subject of the difference that names it, and whether one needs the key.

    `whose` asks for the subject before the manipulation: the id of a row or key, or the position of an event.
    """

    name: str
    change: Change
    kind: Kind
    whose: str
    needs_key: bool = False


def _exchanged(table: str, key: str, column: str, one: str, other: str) -> Change:
    """Exchange the values of two rows in a column, in which they may be unique."""

    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / STORE)) as connection, connection:
            ids = [connection.execute(f"SELECT {each}").fetchone()[0] for each in (one, other)]
            value = f"SELECT {column} FROM {table} WHERE {key} = ?"
            first, second = [connection.execute(value, (each,)).fetchone()[0] for each in ids]
            assert first != second
            put = f"UPDATE {table} SET {column} = ? WHERE {key} = ?"
            connection.execute(put, (type(first)(), ids[0]))
            connection.execute(put, (first, ids[1]))
            connection.execute(put, (second, ids[0]))

    return change


def _with_another_index(wrapping: Callable[[Path], KeyWrapping]) -> Change:
    def change(folder: Path) -> None:
        key = wrapping(folder).wrap(INDEX, b"i" * 32)
        with closing(sqlite3.connect(folder / STORE)) as connection, connection:
            put = "UPDATE seal_keys SET version = ?, wrapped = ? WHERE name = 'index'"
            connection.execute(put, (key.version, key.wrapped))

    return change


def _foreign(_folder: Path) -> KeyWrapping:
    return KeyWrapping(Keyring.random())


def _own(folder: Path) -> KeyWrapping:
    return KeyWrapping(Keyring.read(folder / "code.key"))


def _texts_of_events(one: str, other: str) -> Change:
    """Exchange the sealed and the secret lines of two events."""

    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / STORE)) as connection, connection:
            places = [connection.execute(f"SELECT {each}").fetchone()[0] for each in (one, other)]
            state = "SELECT state FROM stored_events WHERE rowid = ?"
            states = [connection.execute(state, (each,)).fetchone()[0] for each in places]
            (first, *of_first), (second, *of_second) = [each.split(b"\n") for each in states]
            assert of_first[0]
            assert of_second[0]
            put = "UPDATE stored_events SET state = ? WHERE rowid = ?"
            connection.execute(put, (b"\n".join([first, *of_second]), places[0]))
            connection.execute(put, (b"\n".join([second, *of_first]), places[1]))

    return change


def _issued(pin: str) -> str:
    return f"(SELECT min(rowid) FROM stored_events WHERE originator_id = {pin})"


def _line_of_event(text: str) -> str:
    """Replace the sealed line of the newest PIN's first event; the text is SQL."""
    opened = f"substr(CAST(state AS TEXT), 1, {_SEALED_LINE})"
    rest = f"substr(CAST(state AS TEXT), {_SEALED_LINE} + 1)"
    secret = f"substr({rest}, instr({rest}, char(10)))"
    return (
        f"UPDATE stored_events SET state = CAST({opened} || {text} || {secret} AS BLOB)"
        f" WHERE rowid = {newest('PinIssued')}"
    )


_FORM_AT = f"SELECT {newest('PinIssued')}"

TEXTS = (
    Attack(
        "two rows of one column exchanged",
        _exchanged("verifications", "pin_id", "sealed", _OF_ONE, _OF_OTHER),
        Kind.ROW,
        f"SELECT {_OF_ONE}",
        needs_key=True,
    ),
    Attack(
        "two columns of one row exchanged",
        sql(
            f"UPDATE verifications SET sealed_changing = '0000' || substr(sealed, {_MARK + 1})"
            f" WHERE pin_id = {_OF_ONE}"
        ),
        Kind.ROW,
        f"SELECT {_OF_ONE}",
        needs_key=True,
    ),
    Attack(
        "two events exchanged",
        _texts_of_events(_issued(_OF_ONE), _issued(_OF_OTHER)),
        Kind.FORM,
        f"SELECT {_issued(_OF_ONE)}",
        needs_key=True,
    ),
    Attack("an event blanked", sql(_line_of_event("''")), Kind.FORM, _FORM_AT),
    Attack(
        "an event's text cut", sql(_line_of_event("'AAAA'")), Kind.FORM, _FORM_AT, needs_key=True
    ),
    Attack(
        "a row blanked as if its person were erased",
        sql(
            f"UPDATE verifications SET sealed = substr(sealed, 1, {_MARK}) WHERE pin_id = {_OF_ONE}"
        ),
        Kind.ROW,
        f"SELECT {_OF_ONE}",
    ),
    Attack(
        "a row blanked as if it never had anything",
        sql(f"UPDATE verifications SET sealed = '0000' WHERE pin_id = {_OF_ONE}"),
        Kind.ROW,
        f"SELECT {_OF_ONE}",
    ),
    Attack(
        "a row without its text",
        sql(f"UPDATE verifications SET sealed = NULL WHERE pin_id = {_OF_ONE}"),
        Kind.ROW,
        f"SELECT {_OF_ONE}",
    ),
    Attack(
        "a row that a search no longer finds",
        sql(f"UPDATE messages SET reference = NULL WHERE id = (SELECT {_REFERRED})"),
        Kind.ROW,
        f"SELECT {_REFERRED}",
        needs_key=True,
    ),
    Attack(
        "a callback's body blanked",
        sql(f"UPDATE callback_deliveries SET sealed = '0002' WHERE id = {_DELIVERY}"),
        Kind.PERSON,
        f"SELECT person_id FROM callback_deliveries WHERE id = {_DELIVERY}",
    ),
    Attack(
        "a text back in a row after the erasure",
        sql(
            "UPDATE consents SET sealed_changing = '0001' || (SELECT substr(sealed_changing, 5)"
            f" FROM consents WHERE person_id IN (SELECT person FROM people)) WHERE id = {_OF_ERASED}"
        ),
        Kind.PERSON,
        f"SELECT {_ERASED}",
    ),
    Attack(
        "a provider's id back after the erasure",
        sql(
            f"UPDATE messages SET person_id = {_ERASED} WHERE id ="
            " (SELECT holder FROM holders WHERE subject LIKE 'provider-message:%' LIMIT 1)"
        ),
        Kind.ROW,
        "SELECT holder FROM holders WHERE subject LIKE 'provider-message:%' LIMIT 1",
    ),
)

PEOPLE = (
    Attack(
        "two people's keys exchanged",
        _exchanged("people", "person", "wrapped_key", _ONE, _OTHER),
        Kind.PERSON,
        f"SELECT {_ONE}",
        needs_key=True,
    ),
    Attack(
        "a person's key under a version that nobody has",
        sql(f"UPDATE people SET key_version = 99 WHERE person = {_ONE}"),
        Kind.PERSON,
        f"SELECT {_ONE}",
        needs_key=True,
    ),
    Attack(
        "two people's numbers exchanged",
        _exchanged("people", "person", "hmac", _ONE, _OTHER),
        Kind.PERSON,
        f"SELECT {_OTHER}",
        needs_key=True,
    ),
    Attack(
        "a person with the number of nobody",
        sql(f"UPDATE people SET hmac = 'tea' WHERE person = {_ONE}"),
        Kind.PERSON,
        f"SELECT {_ONE}",
        needs_key=True,
    ),
    Attack(
        "a pass for a person without a verification",
        sql(
            f"UPDATE people SET verified_at = '2031-01-01T00:00:00.000000+00:00' WHERE person = {_ONE}"
        ),
        Kind.PERSON,
        f"SELECT {_ONE}",
    ),
    Attack(
        "a pass that was taken away",
        sql(f"UPDATE people SET verified_at = NULL WHERE person = {_PASSING}"),
        Kind.PERSON,
        f"SELECT {_PASSING}",
    ),
    Attack(
        "a person of another account",
        sql(f"UPDATE people SET account = 'acc_0' WHERE person = {_ONE}"),
        Kind.PERSON,
        f"SELECT {_ONE}",
    ),
    Attack(
        "a person gone without an erasure",
        sql(f"DELETE FROM people WHERE person = {_ONE}"),
        Kind.PERSON,
        f"SELECT {_ONE}",
    ),
    Attack(
        "a person whom no event names",
        sql(
            "INSERT INTO people SELECT 'tea', account, 'per_tea', wrapped_key, key_version, NULL"
            f" FROM people WHERE person = {_ONE}"
        ),
        Kind.PERSON,
        "SELECT 'per_tea'",
    ),
    Attack(
        "a person behind all others",
        sql("INSERT INTO people VALUES ('tea', 'acc_0', 'per_z', x'00', 1, NULL)"),
        Kind.PERSON,
        "SELECT 'per_z'",
    ),
    Attack(
        "an old entry back after the erasure",
        sql(f"INSERT INTO people VALUES ('tea', 'acc_0', {_ERASED}, x'00', 1, NULL)"),
        Kind.PERSON,
        f"SELECT {_ERASED}",
    ),
    Attack(
        "a number that leads to a person of an old entry",
        sql(
            f"UPDATE people SET person = {_ERASED} WHERE person = {_ONE}",
        ),
        Kind.PERSON,
        f"SELECT {_ERASED}",
    ),
)

KEYS = (
    Attack(
        "an index secret that no code key wrapped",
        sql("UPDATE seal_keys SET wrapped = x'00' WHERE name = 'index'"),
        Kind.SEAL,
        "SELECT 'index'",
        needs_key=True,
    ),
    Attack(
        "the index secret of another store",
        _with_another_index(_foreign),
        Kind.SEAL,
        "SELECT 'index'",
        needs_key=True,
    ),
    Attack(
        "the index secret of another store with the same code key",
        _with_another_index(_own),
        Kind.PERSON,
        f"SELECT {_ONE}",
        needs_key=True,
    ),
    Attack(
        "no index secret",
        sql("DELETE FROM seal_keys WHERE name = 'index'"),
        Kind.SEAL,
        "SELECT 'index'",
    ),
    Attack(
        "an account's key gone",
        sql(f"DELETE FROM seal_keys WHERE name = {_ACCOUNT}"),
        Kind.SEAL,
        f"SELECT {_ACCOUNT}",
    ),
    Attack(
        "the key of parked receipts gone while they wait",
        sql(f"DELETE FROM seal_keys WHERE name = {_WAITING}"),
        Kind.SEAL,
        f"SELECT {_WAITING}",
    ),
    Attack(
        "the key of an account that is none",
        sql("INSERT INTO seal_keys SELECT 'acc_0', version, wrapped FROM seal_keys LIMIT 1"),
        Kind.SEAL,
        "SELECT 'acc_0'",
    ),
    Attack(
        "the keys of a run and of a callback exchanged",
        _exchanged("seal_keys", "name", "wrapped", _RUN, _CALLBACK),
        Kind.SEAL,
        f"SELECT {_RUN}",
        needs_key=True,
    ),
    Attack(
        "an account's key under a version that nobody has",
        sql(f"UPDATE seal_keys SET version = 99 WHERE name = {_ACCOUNT}"),
        Kind.SEAL,
        f"SELECT {_ACCOUNT}",
        needs_key=True,
    ),
    Attack(
        "a code key that the store does not know",
        sql("DELETE FROM settings WHERE name LIKE 'code_key:%'"),
        Kind.SCHEMA,
        "SELECT 'code_key:1'",
    ),
    Attack(
        "another code key's check value",
        sql("UPDATE settings SET value = 'tea' WHERE name LIKE 'code_key:%'"),
        Kind.SCHEMA,
        "SELECT 'code_key:1'",
        needs_key=True,
    ),
)

ATTACKS = (*TEXTS, *PEOPLE, *KEYS)
