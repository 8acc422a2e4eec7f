"""The PostgreSQL server of a run: the tests' own, or the one in `WATCHWORD_TEST_POSTGRES`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.databases import databases

from .targets import Database


@contextmanager
def server() -> Iterator[Callable[[], Database]]:
    """Run a server for a block; yield a function that creates empty databases."""
    with databases() as found:

        def new() -> Database:
            url = found.new()
            made.append(url)
            return Database(url=url, pid=_process_of(url))

        made: list[str] = []
        try:
            yield new
        finally:
            for url in made:
                found.drop(url)


def _process_of(url: str) -> int | None:
    """Return the server's process id; None if it is on another machine or unreadable."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_setting('data_directory', true)").fetchone()
    try:
        return (
            int((Path(row[0]) / "postmaster.pid").read_text().partition("\n")[0]) if row else None
        )
    except (OSError, TypeError, ValueError, psycopg.Error):
        return None
