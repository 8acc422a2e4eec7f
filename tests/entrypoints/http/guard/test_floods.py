"""A flood that the guard refuses: what it leaves on the log, who is told, and how it is let go (C-78)."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.entrypoints.receiving import Receiver, endpoint

STORES = EVERY_STORE
LIMIT = 3
POLICY = {
    "unverified": {
        "country": {"mode": "off"},
        "prefix": {"mode": "enforce", "limit": f"{LIMIT}/1h"},
        "ip": {"mode": "record", "limit": f"{LIMIT}/1h"},
    }
}
PREFIX = "+98912345"
REFUSED = (429, "rate_limited", "unverified.prefix")
CONTEXT = {"ip": "203.0.113.9"}
# The sandbox treats some numbers below it as special.
USUAL = 1000


@pytest.fixture
async def guarded(serving: Serving) -> AsyncIterator[Caller]:
    """Yield a client whose account enforces a limit of a prefix, and only records one of an IP."""
    async with serving(allow_private_urls=True) as caller:
        await caller.operated("PUT", "/guard?account=demo", POLICY)
        yield caller


async def flood(
    caller: Caller, first: int, many: int, prefix: str = PREFIX, **more: Any
) -> Sequence[Any]:
    """Request codes for as many numbers of a prefix, and return how each was answered."""
    answers: list[Any] = []
    for number in range(USUAL + first, USUAL + first + many):
        reply = await caller.create(f"{prefix}{number}", **more)
        if reply.status != 201:
            status, code = reply.refusal
            answers.append((status, code, reply.error["details"]["rule"]))
        else:
            answers.append(reply.status)
    return answers


async def counts(caller: Caller, kind: str) -> list[dict[str, Any]]:
    """Return the data of the events of a kind."""
    listed = await caller.operated("GET", f"/events?type={kind}&limit=1000")
    return [each["data"] for each in listed["data"]]


def minutes(counted: Sequence[dict[str, Any]]) -> Counter[tuple[str, str, str]]:
    """Return how many events there are for each rule, subject and minute."""
    return Counter((each["rule"], each["subject"], each["since"][:16]) for each in counted)


async def test_a_flood_leaves_an_event_a_rule_subject_and_minute(guarded: Caller) -> None:
    """Pass mark 4: a refused create leaves nothing else on the log, however many there are."""
    assert [201] * LIMIT == await flood(guarded, 0, LIMIT)
    before = (await guarded.operated("GET", "/events?limit=1000"))["data"]
    for minute in range(3):
        assert [REFUSED] * 40 == await flood(guarded, 100 * (minute + 1), 40)
        await guarded.advance(60)
    after = (await guarded.operated("GET", "/events?limit=1000"))["data"]
    refused = await counts(guarded, "SendsRefused")

    assert {"SendsRefused"} == {each["type"] for each in after[len(before) :]}
    assert 3 * 40 == sum(each["count"] for each in refused)
    assert {PREFIX} == {each["subject"] for each in refused}
    # A minute of the clock may end between two requests of a round.
    assert {1} == set(minutes(refused).values())
    assert len(refused) <= 4


async def test_flags_are_counted_as_refusals_are(guarded: Caller) -> None:
    """The rule of the IP is on the record: each further create passes, and one event has their count."""
    for number in range(LIMIT + 5):
        assert [201] == await flood(guarded, 0, 1, f"+98912{number:03d}", context=CONTEXT)
    await guarded.advance(60)
    flagged = await counts(guarded, "SendsFlagged")

    assert {("unverified.ip", 32)} == {(each["rule"], len(each["subject"])) for each in flagged}
    assert 5 == sum(each["count"] for each in flagged)
    assert {1} == set(minutes(flagged).values())
    listed = await guarded.operated("GET", "/guard/refused?verdict=flagged")
    assert {each["subject"] for each in flagged} == {each["subject"] for each in listed["data"]}


@pytest.mark.parametrize(
    "named", [{"subject": PREFIX}, {"destination": f"{PREFIX}9999"}], ids=["listed", "by a number"]
)
async def test_a_released_subject_passes(guarded: Caller, named: dict[str, str]) -> None:
    """Pass mark 6: it is counted anew, so that it is refused again at its limit."""
    await flood(guarded, 0, LIMIT)
    assert [REFUSED] == await flood(guarded, 10, 1)
    wanted = {"account": "demo", "rule": "unverified.prefix", **named}

    assert {"released": True} == await guarded.operated("POST", "/guard/release", wanted)
    assert [201] * LIMIT + [REFUSED] == await flood(guarded, 20, LIMIT + 1)


async def test_a_released_ip_is_not_flagged(guarded: Caller) -> None:
    """It is named by the HMAC that the list shows."""
    for number in range(LIMIT + 1):
        await flood(guarded, 0, 1, f"+98912{number:03d}", context=CONTEXT)
    await guarded.advance(60)
    (listed,) = (await guarded.operated("GET", "/guard/refused?verdict=flagged"))["data"]
    wanted = {"account": "demo", "rule": "unverified.ip", "subject": listed["subject"]}
    await guarded.operated("POST", "/guard/release", wanted)
    await flood(guarded, 0, LIMIT, "+98913000", context=CONTEXT)
    await guarded.advance(60)

    assert 1 == len(await counts(guarded, "SendsFlagged"))


async def test_an_account_is_told_of_a_flood_by_the_minute(
    guarded: Caller, receiver: Receiver
) -> None:
    """One signed callback says what the list says."""
    made = await endpoint(guarded, receiver, events=["guard.refused"])
    await flood(guarded, 0, LIMIT)
    assert [REFUSED] == await flood(guarded, 100, 1)
    await guarded.advance(60)
    # A call that is under way when the clock is moved is made again, under its id.
    came, *again = await receiver.until(1)
    (listed,) = (await guarded.operated("GET", "/guard/refused"))["data"]
    said = came.verified(made["secret"])

    assert {came.id} >= {each.id for each in again}
    assert "guard.refused" == said["type"]
    assert {name: each for name, each in listed.items() if name != "limit"} == said["data"]
