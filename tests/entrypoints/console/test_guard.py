"""The guard's policy in the console: a form for each rule, and what they change (C-76, D-518)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.visitor import Visitor
from watchword.domain.accounts.token_role import TokenRole
from watchword.domain.guard import NOT_A_COUNTRY
from watchword.entrypoints.console.guard.rule_cards import RULE_CARDS

ConsoleAs = Callable[..., Awaitable[Visitor]]


async def policy_of(caller: Caller, account: str = "demo") -> dict[str, Any]:
    """Return the policy of an account, as the API answers it."""
    return dict(await caller.operated("GET", f"/guard?account={account}"))


async def test_every_rule_is_shown_with_its_default(console: Visitor) -> None:
    """Each rule has its state, and a form that posts its own fields alone."""
    page = await console.get("/guard")

    assert "Guard" == page.heading
    cards = [
        f"{card.title} {card.path} {card.counts} {card.default} default" for card in RULE_CARDS
    ]
    assert [True] * 11 == [card in page.text for card in cards]
    assert {f"/console/guard/rules/{card.path}#{card.anchor}" for card in RULE_CARDS} == {
        form.action for form in page.forms if "/guard/rules/" in form.action
    }


async def test_a_rule_is_changed_and_the_others_stay(caller: Caller, console: Visitor) -> None:
    """The form of one rule replaces the policy by one that differs in that rule alone."""
    await caller.operated("PUT", "/guard?account=demo", {"guesses": {"mode": "enforce"}})
    before = await policy_of(caller)

    page = await console.post(
        "/guard/rules/unverified.prefix",
        {"unverified.prefix.mode": "enforce", "unverified.prefix.limit": "3/1h"},
    )

    assert (200, "/console/guard?done=changed") == (page.status, page.url)
    assert "enforce, 3/1h default: record only, 20/1h" in page.text
    after = await policy_of(caller)
    assert {"mode": "enforce", "limit": "3/1h"} == after["unverified"].pop("prefix")
    del before["unverified"]["prefix"]
    assert before == after


async def test_a_rule_goes_back_to_its_default(caller: Caller, console: Visitor) -> None:
    """The button leaves the rule out of the policy, whatever its fields say."""
    await caller.operated("PUT", "/guard?account=demo", {"guesses": {"mode": "enforce"}})

    await console.post(
        "/guard/rules/guesses",
        {"guesses.mode": "enforce", "guesses.limit": "none", "reset": "true"},
    )

    assert {"mode": "record", "limit": "50/1d"} == (await policy_of(caller))["guesses"]


@pytest.mark.parametrize(
    ("rule", "fields", "problem"),
    [
        (
            "countries",
            {"countries.mode": "enforce", "countries.list": "allow", "countries.codes": "DE XX"},
            NOT_A_COUNTRY,
        ),
        ("countries", {"countries.mode": "record"}, "must have exactly one of allow and refuse"),
        ("guesses", {"guesses.mode": "maybe"}, "must be one of off, record, enforce"),
        ("sends.account", {"sends.account.mode": "enforce"}, "must be set, unless the mode is off"),
        ("unverified.ip", {"unverified.ip.limit": "9", "unverified.ip.mode": "off"}, "5/1d"),
        ("verifiedPass", {"verifiedPass": "0d"}, "must be above zero"),
    ],
)
async def test_what_is_wrong_stands_beside_its_field(
    caller: Caller, console: Visitor, rule: str, fields: dict[str, str], problem: str
) -> None:
    """The form comes back with what was written in it, and nothing changed."""
    before = await policy_of(caller)

    page = await console.post(f"/guard/rules/{rule}", fields)

    assert 400 == page.status
    assert problem in page.text
    written = {name: text for name, text in fields.items() if not name.endswith(("mode", "list"))}
    assert written.items() <= page.values.items()
    assert 'aria-invalid="true"' in page.html
    assert 'href="/console/guard" aria-current="page">Policy' in page.html
    assert before == await policy_of(caller)


async def test_a_rule_that_there_is_not_is_not_found(console: Visitor) -> None:
    """An address that nobody links to changes nothing."""
    assert 404 == (await console.post("/guard/rules/guesswork", {})).status


async def test_a_change_names_the_token(caller: Caller, console_as: ConsoleAs) -> None:
    """The event has the operator's token as its actor."""
    operator = await console_as(TokenRole.OPERATOR)
    await operator.post("/guard/rules/numbers", {"numbers.mode": "enforce"})

    (token,) = (await caller.operated("GET", "/tokens"))["data"]
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]
    assert [token["id"]] == [each["actor"] for each in log if each["type"] == "GuardPolicyRevised"]


async def test_an_auditor_reads_the_policy_and_changes_nothing(
    caller: Caller, console_as: ConsoleAs
) -> None:
    """There is no form that acts, and what such a form would post is refused."""
    auditor = await console_as(TokenRole.AUDITOR)

    pages = [await auditor.get(f"/guard{path}") for path in ("", "/refused", "/replay")]

    assert [200] * 3 == [page.status for page in pages]
    for page in pages:
        assert ["/console/logout"] == [form.action for form in page.forms if form.method == "post"]
    for path in ("rules/numbers", "policy", "release"):
        assert 403 == (await auditor.post(f"/guard/{path}", {"numbers.mode": "off"})).status
    assert 403 == (await auditor.get("/guard/release")).status
    assert "record" == (await policy_of(caller))["numbers"]["mode"]


async def test_every_account_has_a_policy_of_its_own(
    caller: Caller, console: Visitor, console_as: ConsoleAs
) -> None:
    """A page is about the account that the address names; a bound token changes its own one."""
    await caller.neighbour()
    await console.post("/guard/rules/numbers?account=neighbour", {"numbers.mode": "enforce"})
    bound = await console_as(TokenRole.OPERATOR, "neighbour")
    await bound.post("/guard/rules/guesses", {"guesses.mode": "off"})

    theirs, ours = await policy_of(caller, "neighbour"), await policy_of(caller)
    assert ("enforce", "off") == (theirs["numbers"]["mode"], theirs["guesses"]["mode"])
    assert ("record", "record") == (ours["numbers"]["mode"], ours["guesses"]["mode"])
    assert 404 == (await bound.post("/guard/rules/numbers?account=demo", {})).status
    assert "What the account neighbour refuses" in (await bound.get("/guard")).text
