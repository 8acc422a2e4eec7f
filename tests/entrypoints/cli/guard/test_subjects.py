"""`watchword guard refused` and `release`, on a store and against a running service."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

import watchword as package
from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from watchword.domain.guard import Rule, country_subject, prefix_subject
from watchword.domain.rate_limit import Rate


@pytest.fixture
def refusing(alone: Run, tmp_path: Path) -> Run:
    """Run commands on a store of an account that refused some sends, and flagged one."""

    async def refuse() -> None:
        store = f"sqlite:///{tmp_path / 'watchword.db'}"
        async with package.open(store, data_dir=tmp_path) as service:
            account = await service.accounts.create("web-shop")
            decisions = service._lease.parts.counted_decisions
            for _ in range(17):
                prefix = prefix_subject("989123456789", "f0", "IR")
                decisions.refused(account.id, Rule.PREFIX, prefix, Rate("20/1h"))
            decisions.flagged(account.id, Rule.COUNTRIES, country_subject("IR"))

    asyncio.run(refuse())
    return alone


def test_what_is_refused_is_a_table(refusing: Run) -> None:
    """Each line has the rule, the subject, how often and why; the account is named."""
    listed = refusing("guard", "refused")

    assert 0 == listed.exit_code, listed.stderr
    heading, row = listed.stdout.splitlines()
    assert ["rule", "subject", "count", "limit", "last", "account"] == cells(heading)
    assert ["unverified.prefix", "+98912345", "17", "20/1h"] == cells(row)[:4]
    assert "web-shop" == cells(row)[5]


def test_a_table_is_narrowed(refusing: Run) -> None:
    """By rule, account and verdict; JSON has the names of the interface."""
    flagged = refusing("guard", "refused", "--verdict", "flagged", "--json")
    none = refusing("guard", "refused", "--rule", "guesses", "--account", "web-shop", "--json")
    wrong = refusing("guard", "refused", "--rule", "guess")

    (record,) = json.loads(flagged.stdout)
    assert ("countries", "IR", None, 1) == tuple(
        record[name] for name in ("rule", "subject", "limit", "count")
    )
    assert [] == json.loads(none.stdout)
    assert (2, True) == (wrong.exit_code, "'guess' is not one of" in wrong.stderr)


def test_a_subject_is_released(watchword: Run, account: str) -> None:
    """It is named as it is listed, or by a destination that is known."""
    options = ("guard", "release", "--account", account)
    prefix = watchword(*options, "--rule", "unverified.prefix", "--subject", "+98912345", "--json")
    unknown = watchword(*options, "--rule", "guesses", "--destination", "+447700900123")
    neither = watchword(*options, "--rule", "guesses")

    assert {"released": True} == json.loads(prefix.stdout), prefix.stderr
    assert ["released", "no"] == unknown.stdout.split()
    assert 1 == neither.exit_code
    assert (
        "Error: subject is required as it is listed, or a destination instead of it; not both.\n"
        == neither.stderr
    )
