"""Embedders read and replace the guard policies of accounts."""

from __future__ import annotations

from typing import Any

import pytest

import watchword
from watchword.domain.guard import Budgeted, Countries, GuardPolicy, Mode
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
