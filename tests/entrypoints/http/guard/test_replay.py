"""A guard policy is replayed over HTTP; the report says what it would have refused (C-78)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

STORES = EVERY_STORE
REPLAY = "/guard/replay"
PREFIX = {"unverified": {"prefix": {"mode": "enforce", "limit": "2/1h"}}}
BODY = {"account": "demo", "policy": PREFIX, "from": "2020-01-01T00:00:00Z"}


async def sends(caller: Caller) -> None:
    """Send to three numbers of one prefix, and have the last one verify."""
    first, second, last = (f"+9891234510{each}1" for each in range(3))
    for each in (first, second):
        await caller.created(each)
    await caller.verify(await caller.created(last), await caller.code(last))


async def test_the_report_counts_what_would_have_been_refused(caller: Caller) -> None:
    """Of three sends the policy refuses one, which was verified later; nothing is written."""
    await sends(caller)
    newest = (await caller.operated("GET", "/events?limit=1000"))["data"]

    report = await caller.operated("POST", REPLAY, BODY)

    counts = {"sends": 3, "refused": 1, "refusedThatVerified": 1}
    (day,) = report.pop("byDay")
    assert counts == {name: day[name] for name in counts}
    assert {
        **counts,
        "byCountry": [{"country": "IR", **counts}],
        "byPrefix": [{"prefix": "+98912345", **counts}],
        "inexactBecauseRefused": 0,
    } == report
    assert newest == (await caller.operated("GET", "/events?limit=1000"))["data"]


async def test_a_client_that_accepts_lines_sees_the_progress(caller: Caller) -> None:
    """The lines before the last say how far the replay is; the last line is the report."""
    await sends(caller)
    headers = {"Accept": "application/x-ndjson"}
    operator = caller.using(SANDBOX_ADMIN_TOKEN)

    reply = await operator.post(f"/admin/v1{REPLAY}", BODY, headers=headers)

    *progress, report = [json.loads(line) for line in reply.body.splitlines()]
    assert {"progress": 100} == progress[-1]
    assert await caller.operated("POST", REPLAY, BODY) == report


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, ["from", "policy"]),
        ({**BODY, "from": "yesterday"}, ["from"]),
        ({**BODY, "to": "2019-01-01T00:00:00Z"}, ["to"]),
        ({**BODY, "to": BODY["from"]}, ["to"]),
        (
            {**BODY, "policy": {"unverified": {"ip": {"limit": "many"}}}},
            ["policy.unverified.ip.limit"],
        ),
        ({**BODY, "policy": {"countries": {"mode": "enforce"}}}, ["policy.countries"]),
        ({**BODY, "policy": "policy.toml"}, ["policy"]),
        ([], ["body"]),
    ],
)
async def test_what_is_wrong_is_named_by_its_path(
    caller: Caller, body: Any, wrong: list[str]
) -> None:
    """A malformed time, an empty span and a wrong policy are 400."""
    reply = await caller.operate("POST", REPLAY, body)

    assert wrong == reply.wrong


@pytest.mark.parametrize("first", ["0001-01-01T00:00:00Z", "9998-12-31T00:00:00Z"])
async def test_any_time_of_the_calendar_is_taken(caller: Caller, first: str) -> None:
    """The first and the last time are no errors."""
    report = await caller.operated(
        "POST",
        REPLAY,
        {"account": "demo", "policy": {}, "from": first, "to": "9999-01-01T00:00:00Z"},
    )

    assert 0 == report["sends"]


async def test_a_misspelt_rule_of_the_policy_is_refused(caller: Caller) -> None:
    """A misspelt rule would be replayed with its default, and the report would be about another policy."""
    reply = await caller.operate("POST", REPLAY, {**BODY, "policy": {"gueses": {}}})

    assert ["policy.gueses"] == reply.wrong
