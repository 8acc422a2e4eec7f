"""Manipulations of the data beside the log: rows, due rows, keys, the database, files (C-91)."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.entrypoints.audits.manipulations import Case, in_the_files, one, sql, stream
from watchword.application.audit.differences import Kind

_AT = "'2031-05-04T12:00:00.000000+00:00'"
_LONG_AGO = "'2020-01-01T00:00:00.000000+00:00'"
_FAR_OFF = "'2099-01-01T00:00:00.000000+00:00'"
_ID = "opt_00000000000000000000000000000000"
_WAITS = "(SELECT stream FROM due WHERE kind = 'fallback' LIMIT 1)"
# Of a person who was not erased: nobody can compare the others.
_CONSENT = "SELECT id FROM consents WHERE person_id IN (SELECT person FROM people) LIMIT 1"
_FIRST_PERSON = "SELECT min(person) FROM people"
_ERASED_PERSON = "SELECT max(originator_id) FROM stored_events WHERE topic LIKE 'PersonErased/%'"
_SEALED = "(SELECT name FROM seal_keys WHERE name LIKE 'run_%' LIMIT 1)"
_TO_SOME_TYPES = (
    "(SELECT min(d.id) FROM callback_deliveries d JOIN callback_endpoints e ON e.id = d.endpoint_id"
    " WHERE e.events NOT LIKE '%\"*\"%')"
)
_SUBMITTED = "(SELECT stream FROM due WHERE kind = 'template_submission' LIMIT 1)"
_DELIVERY = "(SELECT stream FROM due WHERE kind = 'callback' LIMIT 1)"
_SENT = "(SELECT subject FROM uses WHERE subject LIKE 'sends:%:%' LIMIT 1)"
_TOTAL = "(SELECT max(name) FROM positions WHERE name LIKE 'media-bytes:%' AND position > 0)"
_ANSWERED = (
    "WHERE scope = (SELECT max(scope) FROM idempotency_keys"
    " WHERE CAST(answer AS TEXT) LIKE '%\"expiresAt\":\"20%' AND scope LIKE '%/v1/pins' || char(10) || '%')"
)
_ISSUED = stream("PinIssued")
_FIRST_FILE = "SELECT min(id) FROM media WHERE removed_at IS NULL"
_REMOVED_FILE = "SELECT min(id) FROM media WHERE removed_at IS NOT NULL"


def _row(table: str, key: str, change: str) -> Case:
    last = f"(SELECT max(rowid) FROM {table})"
    return Case(
        f"a changed row of {table}",
        sql(f"UPDATE {table} SET {change} WHERE rowid = {last}"),
        Kind.ROW,
        whose=f"SELECT {key} FROM {table} WHERE rowid = {last}",
    )


def _answer(name: str, part: str, other: str) -> Case:
    answer = f"CAST(replace(CAST(answer AS TEXT), '{part}', '{other}') AS BLOB)"
    change = sql(f"UPDATE idempotency_keys SET answer = {answer} {_ANSWERED}")
    return Case(name, change, Kind.ANSWER)


def _bring_back(folder: Path) -> None:
    (folder / "media" / one(folder, _REMOVED_FILE)).write_bytes(b"tea")


ROWS = (
    _row("verifications", "pin_id", "attempts_remaining = 77"),
    _row("messages", "id", "status = 'read by nobody'"),
    _row("fallback_runs", "id", "waittime_seconds = 1"),
    _row("consents", "id", "opt_list = 'maybe'"),
    _row("media", "id", "sha256 = '0'"),
    _row("short_links", "id", "clicks = 99"),
    _row("callback_endpoints", "id", f"removed_at = {_AT}"),
    _row("legacy_users", "id", "sealed = substr(sealed, 1, 4)"),
    _row("message_templates", "id", "status = 'Perhaps'"),
    _row("dlt_templates", "id", "text = 'Coffee'"),
    Case("a row that is gone", sql("DELETE FROM messages WHERE rowid = 1"), Kind.ROW),
)

KEPT = (
    Case(
        "a live code that nobody holds",
        sql("DELETE FROM holders WHERE subject LIKE 'live-code:%'"),
        Kind.HOLDER,
    ),
    Case(
        "a name held by a stranger",
        sql("INSERT INTO holders VALUES ('account-name:tea', 'acc_0')"),
        Kind.HOLDER,
        whose="SELECT 'acc_0'",
    ),
    Case("a send that does not count", sql(f"DELETE FROM uses WHERE subject = {_SENT}"), Kind.USE),
    Case(
        "a send that counts twice",
        sql(
            f"INSERT INTO uses SELECT subject, max(number) + 1, {_AT} FROM uses"
            f" WHERE subject = {_SENT}"
        ),
        Kind.USE,
    ),
    Case(
        "a send that counts for another time",
        sql(f"UPDATE uses SET at = {_AT} WHERE subject = {_SENT} AND number = 1"),
        Kind.USE,
    ),
    Case(
        "a send of a template that is none",
        sql(f"INSERT INTO uses VALUES ('sends:tpl_0', 1, {_AT})"),
        Kind.USE,
        whose="SELECT 'tpl_0'",
    ),
    *(
        Case(name, sql(change), Kind.USE, whose=f"SELECT substr({_TOTAL}, 13)")
        for name, change in (
            (
                "media that use up no limit",
                f"UPDATE positions SET position = 0 WHERE name = {_TOTAL}",
            ),
            ("a total of media that is gone", f"DELETE FROM positions WHERE name = {_TOTAL}"),
            (
                "media that nobody stored",
                f"UPDATE positions SET position = 2 * position WHERE name = {_TOTAL}",
            ),
        )
    ),
    Case(
        "a total of media of another period",
        sql(f"INSERT INTO positions SELECT name || '@', -1 FROM positions WHERE name = {_TOTAL}"),
        Kind.USE,
    ),
    Case(
        "a fallback that nobody is reminded of",
        sql("DELETE FROM due WHERE kind = 'fallback'"),
        Kind.DUE,
        whose=f"SELECT {_WAITS}",
    ),
    Case(
        "a fallback put off for years",
        sql(f"UPDATE due SET at = {_FAR_OFF} WHERE kind = 'fallback'"),
        Kind.DUE,
        whose=f"SELECT {_WAITS}",
    ),
    Case(
        "a parked receipt dropped early",
        sql(f"UPDATE due SET at = {_LONG_AGO} WHERE kind = 'parked_receipt'"),
        Kind.DUE,
    ),
    Case(
        "a template that nobody submits any more",
        sql("DELETE FROM due WHERE kind = 'template_submission'"),
        Kind.DUE,
        whose=f"SELECT {_SUBMITTED}",
    ),
    Case(
        "a due row of a finished PIN",
        sql(f"INSERT INTO due VALUES ('orphaned_dispatch', {stream('PinVerified')}, 1, {_AT})"),
        Kind.DUE,
        whose=f"SELECT {stream('PinVerified')}",
    ),
    Case(
        "a due row of nothing",
        sql(f"INSERT INTO due VALUES ('fallback', 'run_0', 1, {_AT})"),
        Kind.DUE,
        whose="SELECT 'run_0'",
    ),
    Case(
        "seal keys that are gone",
        sql("DELETE FROM seal_keys"),
        Kind.SEAL,
        whose=f"SELECT {_SEALED}",
    ),
    Case(
        "a seal key too many",
        sql("INSERT INTO seal_keys VALUES ('run_0', 1, x'00')"),
        Kind.SEAL,
        whose="SELECT 'run_0'",
    ),
    Case(
        "a person whose key is gone",
        sql(f"DELETE FROM people WHERE person = ({_FIRST_PERSON})"),
        Kind.PERSON,
        whose=_FIRST_PERSON,
    ),
    Case(
        "a person of another account",
        sql(f"UPDATE people SET account = 'acc_0' WHERE person = ({_FIRST_PERSON})"),
        Kind.PERSON,
        whose=_FIRST_PERSON,
    ),
    Case(
        "a key that is back after the erasure",
        sql(f"INSERT INTO people SELECT 'hmac', 'acc_0', ({_ERASED_PERSON}), x'00', 1, NULL"),
        Kind.PERSON,
        whose=_ERASED_PERSON,
    ),
    _answer("an answer about another PIN", "pin_", "pin_0"),
    _answer("an answer with another expiry", '"expiresAt":"20', '"expiresAt":"21'),
    _answer("an answer whose sealed form is none", "\n1:", "\n1:*"),
    _answer("an answer of another request", '"requestId":"req_', '"requestId":"req_0'),
    Case(
        "an answer that is none",
        sql(f"UPDATE idempotency_keys SET answer = x'00' {_ANSWERED}"),
        Kind.ANSWER,
    ),
    Case(
        "a number's consent on another stream",
        sql(
            f"UPDATE stored_events SET originator_id = '{_ID}' WHERE originator_id = ({_CONSENT})",
            f"UPDATE consents SET id = '{_ID}' WHERE id = ({_CONSENT})",
        ),
        Kind.CONSENT,
        whose=f"SELECT '{_ID}'",
    ),
    Case(
        "a callback that nobody is reminded of",
        sql("DELETE FROM due WHERE kind = 'callback'"),
        Kind.DELIVERY,
        whose=f"SELECT {_DELIVERY}",
    ),
    Case(
        "an answer about another account's PIN",
        sql(f"UPDATE idempotency_keys SET scope = 'acc_0' || substr(scope, 5) {_ANSWERED}"),
        Kind.ANSWER,
    ),
    Case(
        "an answer given to two requests",
        sql(
            "UPDATE idempotency_keys SET answer ="
            f" (SELECT answer FROM idempotency_keys {_ANSWERED} LIMIT 1)"
            " WHERE scope LIKE '%/v1/pins%'"
        ),
        Kind.ANSWER,
    ),
    Case(
        "a dispatch that is looked at in years",
        sql(
            f"DELETE FROM stored_events WHERE originator_id = {_ISSUED} AND originator_version > 1",
            f"INSERT OR REPLACE INTO due VALUES ('orphaned_dispatch', {_ISSUED}, 1, {_FAR_OFF})",
        ),
        Kind.DUE,
        whose=f"SELECT {_ISSUED}",
    ),
    Case(
        "a callback put off for years",
        sql(f"UPDATE due SET at = {_FAR_OFF} WHERE kind = 'callback'"),
        Kind.DELIVERY,
        whose=f"SELECT {_DELIVERY}",
    ),
    Case(
        "a callback delivered by no attempt",
        sql(
            "UPDATE callback_deliveries SET status = 'delivered', attempts = 0"
            f" WHERE id = {_DELIVERY}"
        ),
        Kind.DELIVERY,
        whose=f"SELECT {_DELIVERY}",
    ),
    Case(
        "a callback of an event that never was",
        sql(f"UPDATE callback_deliveries SET event_id = 'evt_0' WHERE id = {_DELIVERY}"),
        Kind.DELIVERY,
        whose=f"SELECT {_DELIVERY}",
    ),
    *(
        Case(
            f"a callback with another {column}",
            sql(f"UPDATE callback_deliveries SET {column} = {value} WHERE id = {_DELIVERY}"),
            Kind.DELIVERY,
            whose=f"SELECT {_DELIVERY}",
        )
        for column, value in (
            ("endpoint_id", "'cbe_0'"),
            ("account_id", "'acc_0'"),
            ("event_version", "event_version + 1"),
            ("created_at", "'2020-01-01T00:00:00.000000+00:00'"),
        )
    ),
    Case(
        "a callback to a URL that its message did not name",
        # The mark of a row with a body and a URL.
        sql(f"UPDATE callback_deliveries SET sealed = '0003' WHERE id = {_DELIVERY}"),
        Kind.DELIVERY,
        whose=f"SELECT {_DELIVERY}",
    ),
    Case(
        "a callback of a type that its endpoint does not want",
        sql(f"UPDATE callback_deliveries SET type = 'tea.ready' WHERE id = {_TO_SOME_TYPES}"),
        Kind.DELIVERY,
        whose=f"SELECT {_TO_SOME_TYPES}",
    ),
    *(
        Case(
            f"callbacks that would all be told again, {name}",
            sql(f"{change} WHERE name = 'callbacks'"),
            Kind.DELIVERY,
            whose="SELECT 'callbacks'",
        )
        for name, change in (
            ("as nothing was followed", "UPDATE positions SET position = 0"),
            ("as nothing says how far", "DELETE FROM positions"),
        )
    ),
    Case(
        "callbacks followed beyond the log",
        sql("UPDATE positions SET position = 1000000 WHERE name = 'callbacks'"),
        Kind.DELIVERY,
    ),
)

DATABASE = tuple(
    Case(name, sql(*statements), Kind.SCHEMA, whose=f"SELECT '{named}'")
    for name, named, *statements in (
        ("a dropped index", "messages_by_time", "DROP INDEX messages_by_time"),
        (
            "another index under its name",
            "messages_by_time",
            "DROP INDEX messages_by_time",
            "CREATE INDEX messages_by_time ON messages (id)",
        ),
        ("a trigger", "tea", "CREATE TRIGGER tea AFTER INSERT ON uses BEGIN DELETE FROM uses; END"),
        ("an altered table", "uses", "ALTER TABLE uses ADD COLUMN tea TEXT"),
        ("a table too many", "tea", "CREATE TABLE tea (pot TEXT)"),
        ("a dropped table", "uses", "DROP TABLE uses"),
        ("a view", "tea", "CREATE VIEW tea AS SELECT 1"),
        ("another setting of the file", "user_version", "PRAGMA user_version = 7"),
        ("no write-ahead log", "journal_mode", "PRAGMA journal_mode = DELETE"),
    )
)

_FOREVER = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
# Values that would stop an audit, or keep it from ending, if it read them unchecked (D-165).
HOSTILE = tuple(
    Case(name, sql(*statements), Kind.SCHEMA, whose=f"SELECT '{named}'")
    for name, named, *statements in (
        (
            "a view without end in the place of a table",
            "uses",
            "ALTER TABLE uses RENAME TO tea",
            f"CREATE VIEW uses AS {_FOREVER} SELECT '' AS subject, n AS number, '' AS at FROM r",
        ),
        (
            "a view without end in the place of the log, by a name in capitals",
            "STORED_EVENTS",
            "ALTER TABLE stored_events RENAME TO tea",
            f"CREATE VIEW STORED_EVENTS AS {_FOREVER} SELECT n AS rowid, '' AS originator_id,"
            " n AS originator_version, '' AS topic, '' AS state FROM r",
        ),
        (
            "a view without end in the place of what is held",
            "holders",
            "ALTER TABLE holders RENAME TO tea",
            f"CREATE VIEW holders AS {_FOREVER} SELECT n AS subject, n AS holder FROM r",
        ),
        (
            "a column that is an expression",
            "uses",
            "DROP TABLE uses",
            "CREATE TABLE uses (subject, number, at AS (zeroblob(500000000)))",
        ),
        ("a number that is a text", "positions", "UPDATE positions SET position = 'tea'"),
        (
            "a number without end",
            "verifications",
            "UPDATE verifications SET attempts_remaining = 9e999",
        ),
        (
            "an answer that is a number",
            "idempotency_keys",
            "UPDATE idempotency_keys SET answer = 9e10",
        ),
        ("a holder that is bytes", "holders", "INSERT INTO holders VALUES (x'ff', x'fe')"),
        *(
            (
                f"a clock moved on by {seconds}",
                "sandbox_clock_offset",
                f"INSERT OR REPLACE INTO settings VALUES ('sandbox_clock_offset', '{seconds}')",
            )
            for seconds in ("tea", "nan", "inf", "1e300", "-60")
        ),
    )
)

FILES = (
    Case("a file that is gone", in_the_files(Path.unlink), Kind.FILE, whose=_FIRST_FILE),
    Case(
        "another file of its size",
        in_the_files(lambda file: file.write_bytes(b"pot")),
        Kind.FILE,
        whose=_FIRST_FILE,
    ),
    Case(
        "a file that grew",
        in_the_files(lambda file: file.write_bytes(b"teapot")),
        Kind.FILE,
        whose=_FIRST_FILE,
    ),
    Case("a removed file that is back", _bring_back, Kind.FILE, whose=_REMOVED_FILE),
    Case(
        "a file that nobody stored",
        in_the_files(lambda file: shutil.copy(file, file.with_name("med_tea"))),
        Kind.FILE,
        whose="SELECT 'med_tea'",
    ),
    Case("a folder without its files", lambda folder: shutil.rmtree(folder / "media"), Kind.FILE),
)
