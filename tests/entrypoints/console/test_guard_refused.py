"""What the guard refuses now, in the console, and the release of a subject (C-78)."""

from __future__ import annotations

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.tables import tables
from tests.entrypoints.console.visitor import Visitor
from watchword.application.caller import THE_WORKER
from watchword.domain.guard import Rule, country_subject, person_subject, prefix_subject
from watchword.domain.rate_limit import Rate
from watchword.entrypoints.wired import Wired

NUMBER = "+919812345610"
PREFIX = "+91981234"
ENFORCED = {"unverified": {"prefix": {"mode": "enforce", "limit": "1/1h"}}}
CAPTION = "Subjects that a rule refused within its window"


@pytest.fixture
async def refusing(service: Wired, caller: Caller) -> Caller:
    """Return a client of a service that refused sends and guesses a minute ago, and flagged one."""
    account_id = await service.accounts.resolve(THE_WORKER, "demo")
    decisions = service.counted_decisions
    for _ in range(3):
        decisions.refused(
            account_id, Rule.PREFIX, prefix_subject(NUMBER[1:], "f0", "IN"), Rate("1/1h")
        )
    decisions.refused(account_id, Rule.GUESSES, person_subject(NUMBER[1:]), Rate("5/1d"))
    decisions.refused(account_id, Rule.COUNTRIES, country_subject("IR"))
    decisions.flagged(account_id, Rule.NUMBERS, person_subject("91981234561"))
    await caller.advance(60)
    return caller


async def test_what_is_refused_is_listed_with_a_way_out(refusing: Caller, console: Visitor) -> None:
    """A listed subject has a button, a masked person a form, and a rule that counts nothing its policy."""
    page = await console.get("/guard/refused")
    rows = {row[0]: row for row in tables(page)[CAPTION][1:]}

    assert {"unverified.prefix", "guesses", "countries"} == set(rows)
    assert [PREFIX, "3", "1/1h"] == rows["unverified.prefix"][1:4]
    assert NUMBER not in page.html
    assert ["Release +91981234", "Release… a destination", "Change the policy"] == [
        rows[rule][-1] for rule in ("unverified.prefix", "guesses", "countries")
    ]


async def test_the_list_is_searched_as_the_api_searches(refusing: Caller, console: Visitor) -> None:
    """The parameters are those of the route; a value that there is not is said beside its field."""
    one = await console.get("/guard/refused?rule=countries")
    flagged = await console.get("/guard/refused?verdict=flagged")
    wrong = await console.get("/guard/refused?rule=weather")
    paged = await console.get("/guard/refused?pageSize=2&page=2")

    assert [["countries", "IR"]] == [row[:2] for row in tables(one)[CAPTION][1:]]
    (found,) = tables(flagged)["Would be refused, if the rule were enforced"][1:]
    assert "numbers" == found[0]
    assert (400, True) == (wrong.status, "must be one of numbers" in wrong.text)
    assert 2 == len(tables(paged)[CAPTION])
    assert "Page 2 of 2" in paged.text


async def test_nothing_refused_says_where_to_look(console: Visitor) -> None:
    """An empty list leads to the policy, and to what rules on record would have refused."""
    page = await console.get("/guard/refused")

    assert "Nothing is refused now." in page.text
    assert {"/console/guard", "/console/guard/refused?verdict=flagged"} <= set(page.links)


async def test_a_released_subject_passes(caller: Caller, console: Visitor) -> None:
    """The count begins anew: the next send to the prefix is not refused."""
    await caller.operated("PUT", "/guard?account=demo", ENFORCED)
    await caller.created(NUMBER)
    assert 429 == (await caller.create(f"{PREFIX}5611")).status

    page = await console.post("/guard/release", {"rule": "unverified.prefix", "subject": PREFIX})

    assert "/console/guard/refused?done=released" == page.url
    assert "The count of the subject begins anew." in page.text
    await caller.created(f"{PREFIX}5611")


async def test_a_person_is_released_by_the_destination(caller: Caller, console: Visitor) -> None:
    """The number stands in the form alone, never in an address."""
    await caller.operated(
        "PUT", "/guard?account=demo", {"guesses": {"mode": "enforce", "limit": "11/1d"}}
    )
    await caller.created(NUMBER)

    asked = await console.get("/guard/release?rule=guesses")
    page = await console.post("/guard/release", {"rule": "guesses", "destination": NUMBER})

    assert "Release a subject" == asked.heading
    assert "/console/guard/refused?done=released" == page.url


async def test_a_rule_that_counts_nothing_of_a_subject_says_so(
    caller: Caller, console: Visitor
) -> None:
    """A rule that is off has no count, and the page does not claim that anything happened."""
    await caller.operated("PUT", "/guard?account=demo", {"unverified": {"prefix": {"mode": "off"}}})

    page = await console.post("/guard/release", {"rule": "unverified.prefix", "subject": PREFIX})

    assert "Nothing was released: the rule counts nothing of this subject." in page.text


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"rule": "unverified.prefix", "subject": "+9x"}, "must be a prefix as it is listed"),
        ({"rule": "guesses", "subject": "+91***10"}, "is masked: give the destination instead"),
        ({"rule": "unverified.ip", "destination": NUMBER}, "is no subject of this rule"),
        ({"rule": "unverified.prefix"}, "is required as it is listed, or a destination"),
        ({"rule": "weather", "subject": "rain"}, "must be one of numbers"),
        ({"rule": "countries", "subject": "IR"}, "counts nothing: change the policy instead"),
    ],
)
async def test_a_subject_that_a_rule_cannot_have_is_refused(
    console: Visitor, fields: dict[str, str], problem: str
) -> None:
    """The form comes back with the problem beside its field."""
    page = await console.post("/guard/release", fields)

    assert (400, True) == (page.status, problem in page.text), page.text
    assert "Release a subject" == page.heading
