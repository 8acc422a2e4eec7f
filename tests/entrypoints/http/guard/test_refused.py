"""What the guard refuses now, over HTTP (C-78, C-102)."""

from __future__ import annotations

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE
from watchword.application.caller import THE_WORKER
from watchword.domain.guard import Rule, country_subject, person_subject, prefix_subject
from watchword.domain.rate_limit import Rate
from watchword.entrypoints.wired import Wired

STORES = EVERY_STORE
ONCE = {"mode": "enforce", "limit": "1/1h"}
MANY = {"account": "demo", "rule": "unverified.country", "subject": "IR"}


@pytest.fixture
async def refusing(service: Wired, caller: Caller) -> Caller:
    """Return a client of a service that refused some sends a minute ago, and flagged one."""
    account_id = await service.accounts.resolve(THE_WORKER, "demo")
    decisions = service.counted_decisions
    for _ in range(3):
        decisions.refused(
            account_id, Rule.PREFIX, prefix_subject("989123456789", "f0", "IR"), Rate("20/1h")
        )
    await caller.advance(60)
    decisions.refused(account_id, Rule.COUNTRIES, country_subject("IR"))
    decisions.flagged(account_id, Rule.NUMBERS, person_subject("91981234561"))
    await caller.advance(60)
    return caller


async def test_what_is_refused_is_listed_the_newest_first(refusing: Caller) -> None:
    """In the envelope of all lists; a minute is there when it has ended."""
    listed = await refusing.operated("GET", "/guard/refused")
    newest, older = listed["data"]

    assert (1, 25, 2, 1, True) == (
        listed["page"],
        listed["pageSize"],
        listed["total"],
        listed["totalPages"],
        listed["totalIsExact"],
    )
    assert {
        "rule": "countries",
        "subject": "IR",
        "limit": None,
        "count": 1,
    }.items() <= newest.items()
    assert ("unverified.prefix", "+98912345", "20/1h", 3) == (
        older["rule"],
        older["subject"],
        older["limit"],
        older["count"],
    )
    assert older["since"] <= older["until"] < newest["since"]


@pytest.mark.parametrize(
    ("rule", "policy", "subject"),
    [
        ("unverified.country", {"unverified": {"country": ONCE}}, "IN"),
        ("unverified.prefix", {"unverified": {"prefix": ONCE}}, "+91981234"),
        ("unverified.ip", {"unverified": {"ip": ONCE}}, None),
        ("sends.account", {"sends": {"account": ONCE}}, None),
        ("sends.channels", {"sends": {"channels": {"sms": ONCE}}}, "sms"),
    ],
)
async def test_a_subject_is_released_as_it_is_listed(
    caller: Caller, rule: str, policy: dict[str, object], subject: str | None
) -> None:
    """Of every rule that has a budget of sends: the next send passes, and the one after it does not."""
    await caller.operated("PUT", "/guard?account=demo", policy)
    context = {"ip": "203.0.113.9"}
    created = [await caller.create(f"+91981234561{number}", context=context) for number in (0, 1)]
    await caller.advance(60)
    (listed,) = (await caller.operated("GET", f"/guard/refused?rule={rule}"))["data"]
    body = {"account": "demo", "rule": rule, "subject": listed["subject"]}
    released = await caller.operated("POST", "/guard/release", body)
    after = [await caller.create(f"+91981234562{number}", context=context) for number in (0, 1)]

    assert subject in (None, listed["subject"])
    assert [201, 429] == [each.status for each in created]
    assert {"released": True} == released
    assert [201, 429] == [each.status for each in after]
    assert {rule} == {each.json["error"]["details"]["rule"] for each in (created[1], after[1])}


async def test_a_list_is_narrowed(refusing: Caller) -> None:
    """By rule, by verdict and by account; a page has the size that is asked for."""

    async def subjects(query: str) -> list[str]:
        listed = await refusing.operated("GET", f"/guard/refused?{query}")
        return [each["subject"] for each in listed["data"]]

    assert ["+98912345"] == await subjects("account=demo&rule=unverified.prefix")
    assert ["+9198*****61"] == await subjects("verdict=flagged")
    assert ["+98912345"] == await subjects("pageSize=1&page=2")
    await refusing.neighbour()
    assert [] == await subjects("account=neighbour")


async def test_a_wrong_filter_is_refused(refusing: Caller) -> None:
    """A misspelt one, too: it would widen the list (C-93)."""
    for query, wrong in (("rul=guesses", "rul"), ("rule=guess", "rule"), ("verdict=no", "verdict")):
        reply = await refusing.operate("GET", f"/guard/refused?{query}")
        assert [wrong] == reply.wrong
    unknown = await refusing.operate("GET", "/guard/refused?account=nobody")
    assert (404, "account_not_found") == unknown.refusal


async def test_a_release_says_whether_a_count_began_anew(caller: Caller) -> None:
    """It is on the log with the operator's token; a rule that is off has no count."""
    assert {"released": True} == await caller.operated("POST", "/guard/release", MANY)
    channel = {"account": "demo", "rule": "sends.channels", "subject": "sms"}
    assert {"released": False} == await caller.operated("POST", "/guard/release", channel)

    log = (await caller.operated("GET", "/events?type=SubjectReleased"))["data"]
    assert [("admin", "IR")] == [(each["actor"], each["data"]["subject"]) for each in log]


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"rule": "guess"}, "rule"),
        ({"rule": None}, "rule"),
        ({"rule": "numbers"}, "rule"),
        ({"destination": "+919812345610"}, "subject"),
        ({"subject": None}, "subject"),
        ({"subject": 7}, "subject"),
        ({"subject": "Iran"}, "subject"),
        ({"subject": None, "destination": "asha@example.com"}, "destination"),
    ],
)
async def test_a_wrong_release_names_the_member(
    caller: Caller, change: dict[str, object], wrong: str
) -> None:
    """400 by path."""
    reply = await caller.operate("POST", "/guard/release", {**MANY, **change})

    assert [wrong] == reply.wrong


async def test_a_release_is_for_a_known_account(caller: Caller) -> None:
    """An unknown one is 404, as everywhere."""
    reply = await caller.operate("POST", "/guard/release", {**MANY, "account": "nobody"})

    assert (404, "account_not_found") == reply.refusal
