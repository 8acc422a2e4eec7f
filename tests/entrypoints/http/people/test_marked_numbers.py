"""No number, address or text of a person stands in clear, and an erasure leaves none (C-73, C-74)."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from attrs import field, frozen
from click.testing import CliRunner
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.databases import own_server, run
from tests.entrypoints.conftest import EXPOSED, listening
from tests.entrypoints.disk_readers import (
    Select,
    all_texts,
    opened,
    postgres_rows,
    rows_of,
    sqlite_rows,
    wrapped_keys,
)
from tests.entrypoints.marked_lives import DOCUMENT, Gossip, Lives, lead
from tests.entrypoints.marks import DIGITS, WORD, files_of, mailbox, marks_in, phone, text
from tests.entrypoints.receiving import endpoint, receiving
from tests.fakes.hashers import FakePasswordHasher
from watchword.adapters.event_store.rows.read_model_tables import ALL_TABLES
from watchword.adapters.keyring import Keyring
from watchword.adapters.log_lines import RENDERERS, logging_to
from watchword.adapters.meters import Meters
from watchword.adapters.vault import Vault
from watchword.entrypoints.cli.__main__ import main
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.request_outcomes import access_line, measured, watching
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.tracing import Tracing

PEOPLE = 500
CODE_KEY = f"1:{base64.b64encode(b'a code key that is thirty-two by').decode()}"
TABLES = ("stored_events", *(each.name for each in ALL_TABLES))
# No recipient's (D-349): an account's user and file, a test of its channel, a receipt of nobody's message,
# and a prefix, which is that of ten thousand numbers.
NOBODYS = {
    "LegacyUserCreated",
    "MediaStored",
    "ChannelAccountTested",
    "ReceiptParked",
    "SendsFlagged",
}
STAYING = 10
# Lists of people, and lists of others: the recipients' phones in the sandbox, an account's users and files.
LISTS = {"/history", "/messages", "/admin/v1/messages", "/admin/v1/verifications"}
ACCOUNTS = ("outbox", "users", "media")
# Of every fifth wrapped key the end is searched for: a deleted row may lose its beginning alone.
EVERY, KEY_PART = 5, 16


@frozen
class Watched:
    """A service whose people have marked numbers, and all that it says beside its answers."""

    lives: Lives
    settings: Settings
    rows: Select
    meters: Meters
    as_json: io.StringIO
    as_text: io.StringIO
    spans: InMemorySpanExporter
    vault: Vault = field(factory=lambda: Vault(Keyring.parse(CODE_KEY)))

    async def command(self, *words: str) -> str:
        """Run a command beside the service."""
        place = ["--store", str(self.settings.store), "--data-dir", str(self.settings.data_dir)]
        said = await asyncio.to_thread(
            CliRunner().invoke, main, [*words, *place], env={"WATCHWORD_CODE_KEY": CODE_KEY}
        )
        assert 0 == said.exit_code, said.output[:2_000]
        return said.stdout

    async def told(self) -> dict[str, bytes]:
        """Return what the service says to everybody but its callers, and its rows as they are read."""
        events = "/admin/v1/events?limit=1000&mask=true"
        return {
            "masked events": (await self.lives.ask("GET", events)).body,
            "JSON log": self.as_json.getvalue().encode(),
            "text log": self.as_text.getvalue().encode(),
            "metrics": self.meters.exposition(),
            "spans": "".join(each.to_json() for each in self.spans.get_finished_spans()).encode(),
            "masked export": (await self.command("audit", "export", "--mask")).encode(),
            "audit check": (await self.command("audit", "check")).encode(),
            **{f"rows of {each}": joined(rows_of(self.rows, each)) for each in TABLES},
        }


@asynccontextmanager
async def watched(store: str, folder: Path, rows: Select) -> AsyncIterator[Watched]:
    """Lead the lives of the people on a store."""
    settings = Settings(
        sandbox=True,
        store=store,
        data_dir=folder,
        code_key=CODE_KEY,
        allow_private_urls=True,
        provider_timeout=1.0,
    )
    gossip, meters = Gossip(), Meters()
    as_json, as_text, spans = io.StringIO(), io.StringIO(), InMemorySpanExporter()
    exporting = TracerProvider()
    exporting.add_span_processor(SimpleSpanProcessor(spans))
    tracing = Tracing(exporting.get_tracer("watchword"))
    parts = wired(
        settings,
        providers={"gossip": gossip},
        meters=meters,
        tracing=tracing,
        password_hasher=FakePasswordHasher(),
    )
    around = [tracing.middleware(), watching([measured(meters), access_line])]
    with (
        logging_to(as_json, "debug", RENDERERS["json"]),
        logging_to(as_text, "debug", RENDERERS["text"]),
    ):
        async with (
            receiving() as receiver,
            parts as service,
            listening(service, EXPOSED, around) as caller,
        ):
            await endpoint(caller, receiver)
            lives = Lives(caller, gossip, receiver.url)
            await lead(lives)
            yield Watched(lives, settings, rows, meters, as_json, as_text, spans)


async def test_sqlite_holds_no_number_and_an_erasure_leaves_no_key(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """
    Five hundred people on every route; then all of them are erased.

    Neither the file, its write-ahead log, free pages, media, logs, metrics nor masked exports have a byte
    of them before the erasure, in any encoding. After it no part of their keys is left in a file, no key
    that is left opens a text, and all histories are valid.
    """
    store = tmp_path / "store.db"
    async with watched(f"sqlite:///{store}", tmp_path, sqlite_rows(store)) as service:
        before = await service.told() | files_of(tmp_path)
        erased = await forget_all(service)
        after = await service.told() | files_of(tmp_path)

    assert {} == marks_in(before)
    assert {} == marks_in({**after, "said": "".join(capfd.readouterr()).encode()})
    assert PEOPLE <= len(erased)
    assert places_with_keys(before, erased)
    assert set() == places_with_keys(after, erased)


async def test_postgresql_holds_no_number_and_an_erasure_leaves_no_key(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """
    The same holds for all files of the server: tables, indexes, statistics, its log of writes.

    Until `VACUUM FULL`, wrapped keys stay in the table of people, and fixed codes in that of seals, as dead
    tuples. After it they are in the log of writes alone, until the server overwrites that (D-413).
    """
    with own_server() as server:
        rows = postgres_rows(server.url)
        async with watched(server.url, tmp_path, rows) as service:
            ((folder,),) = rows("SHOW data_directory")
            run(server.url, "ANALYZE", "CHECKPOINT")
            before = await service.told() | files_of(tmp_path, Path(folder))
            erased = await forget_all(service)
            run(server.url, "VACUUM people", "CHECKPOINT")
            after = await service.told() | files_of(tmp_path, Path(folder))
            ((people, seals),) = rows(
                "SELECT pg_relation_filepath('people'), pg_relation_filepath('seal_keys')"
            )
            run(server.url, "VACUUM FULL people, seal_keys", "CHECKPOINT")
            at_last = files_of(tmp_path, Path(folder))

    assert {} == marks_in(before)
    assert {} == marks_in({**after, "said": "".join(capfd.readouterr()).encode()})
    assert PEOPLE <= len(erased)
    assert {people, seals, "pg_wal"} == kinds(places_with_keys(after, erased), folder)
    assert {"pg_wal"} == kinds(places_with_keys(at_last, erased), folder)


async def forget_all(service: Watched) -> list[bytes]:
    """Erase everybody who has a mark, with all that this must leave; return their wrapped keys."""
    lives, keys, texts = service.lives, wrapped_keys(service.rows), all_texts(service.rows)
    exported, listed = await service.command("audit", "export"), await shown(lives)

    async def erase(n: int) -> None:
        body = {"account": "demo", "destination": lives.people[n]}
        certificate = (await lives.ask("POST", "/admin/v1/people/erase", body)).json
        assert (True, True) == (certificate["erased"], certificate["finished"])

    await lives.each(range(len(lives.people)), erase)
    left = wrapped_keys(service.rows)

    assert {(each.method, each.path) for each in DOCUMENT.operations} == lives.asked
    # The searches are not blind: who has the code key reads everything before the erasure.
    assert all(mark in exported for mark in (DIGITS, WORD))
    assert LISTS <= marks_in(listed).keys()
    assert NOBODYS == kinds_with_marks(await service.command("audit", "export"))
    assert {} == marks_in(await shown(lives))
    # Some people stay, and their texts open.
    readable = [each for each in texts if each.owner in left]
    assert STAYING <= len({each.owner for each in readable if each.owner.startswith("per_")})
    assert readable == opened(texts, left, service.vault)
    return [key.wrapped for name, key in keys.items() if name not in left]


async def shown(lives: Lives) -> Mapping[str, bytes]:
    """Return what every list shows of people."""
    paths = [each.path for each in DOCUMENT.operations if each.method == "get"]
    lists = [each for each in paths if "{" not in each and not each.endswith(ACCOUNTS)]
    return {
        path: (await lives.ask("GET", f"{path}?account=demo", right=False)).body for path in lists
    }


def kinds_with_marks(exported: str) -> set[str]:
    """Return the types of the exported events with a mark."""
    by_kind: dict[str, list[str]] = {}
    for line in exported.splitlines():
        by_kind.setdefault(json.loads(line)["type"], []).append(line)
    return {*marks_in({kind: "\n".join(lines).encode() for kind, lines in by_kind.items()})}


def joined(rows: Iterable[Iterable[object]]) -> bytes:
    """Return rows as they are read: a server compresses long values in its files."""
    return b"\n".join(
        bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
        for row in rows
        for value in row
    )


def places_with_keys(places: Mapping[str, bytes], keys: Sequence[bytes]) -> set[str]:
    """Name the places with a part of a key."""
    parts = [key[-KEY_PART:] for key in keys[::EVERY]]
    return {name for name, place in places.items() if any(each in place for each in parts)}


def kinds(files: Iterable[str], folder: str) -> set[str]:
    """Return the files of a server by their names in its folder, and those of its log of writes as one."""
    names = [str(Path(each).relative_to(folder)) for each in files]
    return {"pg_wal" if each.startswith("pg_wal") else each for each in names}


@pytest.mark.parametrize(
    "lying",
    [
        phone(7),
        mailbox(7).upper(),
        f"+49 1598 40-71.6 {7:04}",
        *(base64.b64encode(b"x" * before + phone(7).encode()).decode() for before in range(3)),
        text("tag", 7).encode().hex().upper(),
        "".join(f"%{byte:02X}" for byte in phone(7).encode()),
        phone(7).encode("utf-16-le").decode("latin-1"),
        phone(7).encode("utf-16-be").decode("latin-1"),
        hashlib.sha256(phone(1).encode()).hexdigest(),
        base64.b64encode(hashlib.sha256(phone(1)[1:].encode()).digest()).decode(),
    ],
)
def test_marks_are_found_in_every_form(lying: str) -> None:
    """Plain, in capitals, spaced, base64 at each offset, hex, URL-encoded, UTF-16, digests."""
    assert ["place"] == list(marks_in({"place": f"..{lying}..".encode("latin-1")}))
    assert {} == marks_in({"place": b"..+4915112345610.."})
