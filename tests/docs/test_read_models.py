"""The page about read models: what it keeps in PostgreSQL is what happened, also on several nodes."""

from __future__ import annotations

import asyncio
import re
import runpy
from pathlib import Path
from typing import Any

import psycopg
import pytest

import watchword
from tests.crash.waiting import until

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "read-models.md"
CODE_KEY = f"1:{'A' * 43}="
NUMBERS = [f"+9198123456{each:02}" for each in range(20, 40)]


@pytest.fixture
def page(tmp_path: Path) -> dict[str, Any]:
    """Return the names of the program for PostgreSQL."""
    (program,) = re.findall(r"```python\n(# codes_in_postgres\.py\n.*?)```", PAGE.read_text(), re.S)
    file = tmp_path / "codes_in_postgres.py"
    file.write_text(program)
    return runpy.run_path(str(file))


def rows(url: str) -> list[tuple[str, bool]]:
    """Return the destinations of the table, and whether their codes were verified."""
    with psycopg.connect(url, autocommit=True) as table:
        found = table.execute("SELECT destination, verified IS NOT NULL FROM codes").fetchall()
        return sorted((str(number), bool(verified)) for number, verified in found)


async def test_followers_share_a_table(postgres_url: str, page: dict[str, Any]) -> None:
    """Two nodes write one table at once, in turns with restarts: each code once, each verification once."""
    with psycopg.connect(postgres_url, autocommit=True) as table:
        table.execute(page["TABLES"])
    for number in range(0, len(NUMBERS), 10):
        async with (
            watchword.open(postgres_url, sandbox=True, code_key=CODE_KEY) as one,
            watchword.open(postgres_url, sandbox=True, code_key=CODE_KEY) as other,
        ):
            loops = [
                asyncio.create_task(page["follow"](each, postgres_url)) for each in (one, other)
            ]
            for each in NUMBERS[number : number + 10]:
                issued = await one.pins.issue("demo", "tpl_demo", each)
                assert one.sandbox is not None
                code = one.sandbox.provider.outbox(destination=each)[-1].text[-7:-1]
                await other.pins.verify("demo", issued, code)
            expected = [(each, True) for each in NUMBERS[: number + 10]]
            await until(lambda wanted=expected: rows(postgres_url) == wanted)  # type: ignore[misc]  # bound at once
        await asyncio.gather(*loops)

    written = rows(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as table:
        # The database is lent to other tests, too.
        table.execute("DROP TABLE codes, followed")

    assert [(each, True) for each in NUMBERS] == written
