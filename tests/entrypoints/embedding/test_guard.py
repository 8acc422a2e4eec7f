"""Embedders read and replace the guard policies of accounts."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import watchword
from watchword.domain.guard import (
    Budgeted,
    Countries,
    GuardPolicy,
    Mode,
    Rule,
    country_subject,
)
from watchword.domain.rate_limit import Rate


async def test_a_policy_is_replaced_by_an_object_or_its_members(store_url: str) -> None:
    """Both forms say the same; what is left out has its default."""
    policy = GuardPolicy(guesses=Budgeted(mode=Mode.ENFORCE, limit=Rate("20/1d")))
    members = {"guesses": {"mode": "enforce", "limit": "20/1d"}}
    async with watchword.open(store_url) as service:
        account = await service.accounts.create("orchid")
        before = await service.guard.get(account)
        first = await service.guard.set(account, policy)
        second = await service.guard.set("orchid", members)

        assert GuardPolicy() == before
        assert policy == first == second == await service.guard.get("orchid")


@pytest.mark.parametrize(
    ("policy", "wrong"),
    [
        (GuardPolicy(countries=Countries(mode=Mode.RECORD)), "countries"),
        ({"countries": {"mode": "record"}}, "countries"),
        ({"guesses": {"limit": "5"}}, "guesses.limit"),
        ({"verified_pass": None}, "verified_pass"),
        ("enforce", "body"),
    ],
)
async def test_a_wrong_policy_is_refused_by_path(policy: Any, wrong: str) -> None:
    """A member of another spelling is unknown, like on the wire."""
    async with watchword.open("memory://") as service:
        account = await service.accounts.create("orchid")
        with pytest.raises(watchword.ValidationFailedError) as refusal:
            await service.guard.set(account, policy)

        assert [wrong] == [each["field"] for each in refusal.value.details["fields"]]  # type: ignore[attr-defined]  # the documented list


async def test_an_unknown_account_has_no_policy() -> None:
    """Neither to get nor to set."""
    async with watchword.open("memory://") as service:
        with pytest.raises(watchword.AccountNotFoundError):
            await service.guard.get("nobody")
        with pytest.raises(watchword.AccountNotFoundError):
            await service.guard.set("nobody", {})


async def test_what_is_refused_is_listed(store_url: str) -> None:
    """By account, rule and verdict; a misspelt filter is refused, as Python does it."""
    async with watchword.open(store_url) as service:
        account = await service.accounts.create("orchid")
        parts = service._lease.parts
        parts.counted_decisions.refused(account.id, Rule.COUNTRIES, country_subject("IR"))
        await parts.recording_decisions.end()
        refusals = await service.guard.refused(account=account, rule="countries")
        flags = await service.guard.refused(account="orchid", verdict="flagged")

        assert [("countries", "IR", 1)] == [
            (each.rule, each.subject, each.count) for each in refusals.data
        ]
        assert 0 == flags.total
        with pytest.raises(TypeError):
            await service.guard.refused(acount="orchid")  # type: ignore[call-arg]  # misspelt
        with pytest.raises(watchword.ValidationFailedError):
            await service.guard.refused(rule="guess")


async def test_a_clean_end_records_what_was_counted(tmp_path: Path) -> None:
    """Also the minute that has not ended."""
    store = f"sqlite:///{tmp_path / 'watchword.db'}"
    async with watchword.open(store, data_dir=tmp_path) as service:
        account = await service.accounts.create("orchid")
        decisions = service._lease.parts.counted_decisions
        decisions.refused(account.id, Rule.COUNTRIES, country_subject("IR"))
    async with watchword.open(store, data_dir=tmp_path) as service:
        assert 1 == (await service.guard.refused()).total


async def test_a_subject_is_released() -> None:
    """By the subject as listed, or by a destination."""
    async with watchword.open("memory://") as service:
        account = await service.accounts.create("orchid")

        country = await service.guard.release(account, "unverified.country", subject="IR")
        guesses = await service.guard.release("orchid", "guesses", destination="+447700900123")
        assert (True, False) == (country.released, guesses.released)
        with pytest.raises(watchword.ValidationFailedError):
            await service.guard.release(account, "unverified.country")


async def test_a_policy_is_replayed() -> None:
    """The report counts the sends of codes, as JSON like on the wire; a wrong span is refused."""
    async with watchword.open("memory://", sandbox=True) as service:
        first = datetime(2020, 1, 1, tzinfo=UTC)
        for each in range(3):
            await service.pins.issue("demo", "tpl_demo", f"+9891234510{each}1")
        policy = {"unverified": {"prefix": {"mode": "enforce", "limit": "2/1h"}}}

        report = await service.guard.replay("demo", policy, first)

        assert (3, 1) == (report.whole.sends, report.whole.refused)
        told = json.loads(json.dumps(watchword.to_json(report)))
        figures = {"sends": 3, "refused": 1, "refusedThatVerified": 0}
        assert [{"country": "IR", **figures}] == told["byCountry"]
        assert figures.items() <= told.items()
        assert [figures] == [
            {name: each[name] for name in figures} for each in told["byDay"] if each["day"]
        ]
        with pytest.raises(watchword.ValidationFailedError, match="until"):
            await service.guard.replay("demo", policy, first, first)
