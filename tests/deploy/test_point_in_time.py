"""A PostgreSQL store comes back from a base backup and its archived WAL, by the lines of the guide."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from time import perf_counter

import psycopg

from tests.crash.nodes import node
from tests.crash.waiting import until
from tests.deploy.deployed import guide
from tests.deploy.own_postgres import OwnPostgres, postgres
from tests.deploy.restoring import check_restored, loaded, lost
from tests.docs.guide_lines import blocks

ROLE = """
CREATE ROLE watchword LOGIN PASSWORD 'secret';
CREATE DATABASE watchword OWNER watchword TEMPLATE template0 ENCODING 'UTF8'
"""
GUIDE = guide("postgresql.md")
ARCHIVING, RECOVERING = blocks(GUIDE, "conf")


def switched(server: OwnPostgres) -> str:
    """Begin another segment, and return the name of the one that is complete."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        row = connection.execute("SELECT pg_walfile_name(pg_switch_wal() - 1)").fetchone()
    assert row is not None
    return str(row[0])


def archived(server: OwnPostgres, segment: str) -> bool:
    """Say whether the archive has a segment."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        row = connection.execute(
            "SELECT last_archived_wal >= %s FROM pg_stat_archiver", (segment,)
        ).fetchone()
    return row is not None and bool(row[0])


def moved(text: str, home: Path) -> str:
    """Return lines of the guide with the test's archive."""
    return text.replace("/backup/wal", f"{home}/wal")


async def test_what_was_archived_comes_back_after_a_kill(tmp_path: Path) -> None:
    """Node and database die under load, and the disk with them: all that the archive has is there."""
    with postgres(ROLE, moved(ARCHIVING, Path("HOME"))) as server:
        home = server.data.parent
        base = str(home / "base")
        (home / "wal").mkdir()
        shutil.copystat(server.data, home / "wal")
        shutil.chown(home / "wal", server.data.owner(), server.data.group())
        url = server.database("watchword", "secret")
        async with node(url, tmp_path) as running, loaded(running) as load:
            await load.goes_on(30)
            (line,) = re.findall(r"^pg_basebackup .*$", GUIDE, re.MULTILINE)
            words = line.replace("/backup/base", base).split()[1:]
            position = words.index("-d") + 1
            words[position] = server.url
            await asyncio.to_thread(server.call, "pg_basebackup", *words)
            await load.goes_on(30)
            moment = perf_counter()
            segment = await asyncio.to_thread(switched, server)
            await until(lambda: archived(server, segment), 60)
            await load.goes_on(10)
            server.end()
            killed = await load.kill()
        shutil.rmtree(server.data)
        shutil.copytree(base, server.data)
        await asyncio.to_thread(own, server)
        with (server.data / "postgresql.conf").open("a") as file:
            file.write(moved(RECOVERING, home))
        (server.data / "recovery.signal").touch()
        server.start()
        await until(lambda: not recovering(server), 60)
        flags = ("--store", url, "--code-key-file", str(tmp_path / "shared.key"))
        record = await check_restored(url, flags)

    older, newer = load.verified_before(moment), load.verified_before(killed)
    assert len(older) >= 60
    assert len(newer) > len(older)
    assert [] == lost(record, older)


def own(server: OwnPostgres) -> None:
    """Hand the copied folder to the server's user, who alone may look into it."""
    home = server.data.parent
    for each in (server.data, *server.data.rglob("*")):
        shutil.chown(each, home.owner(), home.group())
    server.data.chmod(0o700)


def recovering(server: OwnPostgres) -> bool:
    """Say whether it still reads its archive."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        row = connection.execute("SELECT pg_is_in_recovery()").fetchone()
    assert row is not None
    return bool(row[0])
