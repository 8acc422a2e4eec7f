"""The guard policy of an account is shown, and replaced whole (C-76, C-102)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE
GUARD = "/guard?account=demo"
DEFAULTS: dict[str, Any] = {
    "numbers": {"mode": "record"},
    "guesses": {"mode": "record", "limit": "50/1d"},
    "countries": {"mode": "off"},
    "unverified": {
        "country": {"mode": "record"},
        "prefix": {"mode": "record", "limit": "20/1h"},
        "ip": {"mode": "record", "limit": "10/1h"},
    },
    "sends": {},
    "verifiedPass": "90d",
}
WHOLE: dict[str, Any] = {
    "numbers": {"mode": "enforce"},
    "guesses": {"mode": "enforce", "limit": "20/1d"},
    "countries": {"mode": "enforce", "allow": ["AE", "IN"]},
    "unverified": {
        "country": {"mode": "enforce", "limit": "500/1d"},
        "prefix": {"mode": "off", "limit": "5/10m"},
        "ip": {"mode": "enforce", "limit": "3/1h"},
    },
    "sends": {
        "account": {"mode": "record", "limit": "9000/1d"},
        "channels": {
            "sms": {"mode": "enforce", "limit": "600/1h"},
            "email": {"mode": "off", "limit": "1/s"},
        },
    },
    "verifiedPass": None,
}


async def test_a_policy_is_shown_and_replaced_whole(caller: Caller) -> None:
    """What a put says is what a get returns; what it leaves out has its default again."""
    before = await caller.operated("GET", GUARD)
    whole = await caller.operated("PUT", GUARD, WHOLE)
    shown = await caller.operated("GET", GUARD)
    part = await caller.operated("PUT", GUARD, {"guesses": {"mode": "enforce"}})
    account = (await caller.operated("GET", "/accounts"))["data"][0]["id"]
    await caller.operated("PUT", f"/guard?account={account}", {})

    assert DEFAULTS == before
    assert WHOLE == whole == shown
    assert {**DEFAULTS, "guesses": {"mode": "enforce", "limit": "50/1d"}} == part
    assert DEFAULTS == await caller.operated("GET", "/guard")


async def test_each_change_of_a_policy_is_one_event(caller: Caller) -> None:
    """To put the same policy again records nothing."""
    account = (await caller.operated("GET", "/accounts"))["data"][0]["id"]
    for body in ({}, WHOLE, WHOLE, {}, {}):
        await caller.operated("PUT", GUARD, body)
    guard = account.replace("acc_", "grd_")
    events = await caller.events(guard)

    assert ["GuardPolicyRevised"] * 2 == [each["type"] for each in events]
    assert ["AE", "IN"] == events[0]["data"]["policy"]["countries"]["allow"]


async def test_the_policies_of_accounts_are_apart(caller: Caller) -> None:
    """A policy is that of one account."""
    await caller.neighbour()
    await caller.operated("PUT", "/guard?account=neighbour", WHOLE)

    assert DEFAULTS == await caller.operated("GET", GUARD)
    assert WHOLE == await caller.operated("GET", "/guard?account=neighbour")


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"numbers": {"mode": "strict"}}, ["numbers.mode"]),
        ({"numbers": None}, ["numbers"]),
        ({"guesses": {"limit": "50"}}, ["guesses.limit"]),
        ({"guesses": {"limit": None}}, ["guesses.limit"]),
        ({"countries": {"mode": "record"}}, ["countries"]),
        ({"countries": {"mode": "enforce", "allow": ["IN"], "refuse": ["AE"]}}, ["countries"]),
        (
            {"countries": {"allow": ["IN", "ZZ", "in"]}},
            ["countries.allow[1]", "countries.allow[2]"],
        ),
        ({"countries": {"refuse": "IN"}}, ["countries.refuse"]),
        ({"countries": {"allow": ["ZZ"] * 20_000}}, ["countries.allow"]),
        ({"unverified": {"prefix": {"limit": "0/1h"}}}, ["unverified.prefix.limit"]),
        ({"unverified": {"country": {"limit": "1/0s"}}}, ["unverified.country.limit"]),
        ({"sends": {"account": {"mode": "enforce"}}}, ["sends.account.limit"]),
        ({"sends": {"channels": {"sms": {"mode": "record"}}}}, ["sends.channels.sms.limit"]),
        ({"sends": {"channels": {"rcs": {}}}}, ["sends.channels.rcs"]),
        ({"verifiedPass": "0d"}, ["verifiedPass"]),
        ({"verifiedPass": 90}, ["verifiedPass"]),
        ({"guesses": {"limt": "5/1d"}}, ["guesses.limt"]),
        ({"verifiedpass": None}, ["verifiedpass"]),
        (
            {"numbers": {"mode": "x"}, "unverified": {"ip": {"mode": 1}}, "gueses": {}},
            ["numbers.mode", "unverified.ip.mode", "gueses"],
        ),
        ([], ["body"]),
    ],
)
async def test_what_is_wrong_is_named_by_its_path(
    caller: Caller, body: Any, wrong: list[str]
) -> None:
    """All at once; a misspelt member too, whoever asks, since its rule would be reset."""
    await caller.operated("PUT", GUARD, WHOLE)
    refused = await caller.operate("PUT", GUARD, body)

    assert (400, "validation_failed") == refused.refusal
    assert wrong == refused.wrong
    assert WHOLE == await caller.operated("GET", GUARD)


async def test_no_body_at_all_ends_no_enforced_policy(caller: Caller) -> None:
    """A client whose file is missing sends none; an empty object asks for the defaults (D-415)."""
    await caller.operated("PUT", GUARD, WHOLE)
    refused = await caller.using("sandbox-admin").ask("PUT", f"/admin/v1{GUARD}")
    kept = await caller.operated("GET", GUARD)

    assert ["body"] == refused.wrong
    assert WHOLE == kept
    assert DEFAULTS == await caller.operated("PUT", GUARD, {})


async def test_nobody_else_reads_or_sets_a_policy(caller: Caller) -> None:
    """An account's own key opens neither route, and an unknown account has no policy."""
    for method in ("GET", "PUT"):
        assert 401 == (await caller.ask(method, f"/admin/v1{GUARD}", {})).status
        unknown = await caller.operate(method, "/guard?account=nobody", {})
        misspelt = await caller.operate(method, "/guard?acount=demo", {})

        assert (404, "account_not_found") == unknown.refusal
        assert ["acount"] == misspelt.wrong
    assert DEFAULTS == await caller.operated("GET", GUARD)
