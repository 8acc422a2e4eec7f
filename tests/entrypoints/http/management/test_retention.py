"""The retention of an account over HTTP: set whole, refused where it is too short (C-75, C-101)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import UNHURRIED, Caller

DEMO = "/accounts/demo/retention"
FOR_EVER: dict[str, Any] = {"pins": None, "messages": None, "events": None}
YEAR = {"pins": "30d", "messages": "90d", "events": "365d"}


async def test_it_is_replaced_whole(caller: Caller) -> None:
    """What is left out is for ever; durations keep their spelling, and a repetition is no event."""
    before = await caller.operated("GET", DEMO)
    year = await caller.operated("PUT", DEMO, YEAR)
    again = await caller.operated("PUT", DEMO, YEAR)
    day = await caller.operated("PUT", DEMO, {"pins": "1440m", "events": None})
    account = (await caller.operated("GET", "/accounts"))["data"][0]["id"]

    assert FOR_EVER == before
    assert YEAR == year == again
    assert {**FOR_EVER, "pins": "1440m"} == day == await caller.operated("GET", DEMO)
    stream = f"ret_{account.removeprefix('acc_')}"
    assert ["RetentionSet", "RetentionSet"] == await caller.story(stream)


@pytest.mark.parametrize(
    ("wanted", "wrong"),
    [
        ({"pins": "23h", "messages": "0s"}, ["messages", "pins"]),
        ({"pins": "thirty days", "events": 30}, ["events", "pins"]),
        ({"pins": "30d", "messages": "90d", "events": "60d"}, ["events"]),
        ({"pins": "30d", "events": "60d"}, ["events"]),
        ({"pin": "30d"}, ["pin"]),
    ],
)
async def test_what_is_wrong_is_named(
    caller: Caller, wanted: dict[str, Any], wrong: list[str]
) -> None:
    """All at once, by its path, and nothing is set; a misspelt member would keep nothing for ever."""
    refused = await caller.operate("PUT", DEMO, wanted)

    assert (400, "validation_failed") == refused.refusal
    assert wrong == sorted(refused.wrong)
    assert FOR_EVER == await caller.operated("GET", DEMO)


async def test_nothing_goes_within_the_window_of_a_rate(caller: Caller) -> None:
    """A template that counts for a week, or a guard rule that counts for ten days, keeps PINs as long."""
    await caller.with_template(**{**UNHURRIED, "sendPinPerPhoneNumberLimit": "1000/7d"})
    short = await caller.operate("PUT", DEMO, {"pins": "6d"})
    assert ["pins"] == short.wrong
    assert {**FOR_EVER, "pins": "7d"} == await caller.operated("PUT", DEMO, {"pins": "7d"})
    guard = {"sends": {"account": {"mode": "record", "limit": "10/10d"}}}
    await caller.operated("PUT", "/guard?account=demo", guard)

    assert ["pins"] == (await caller.operate("PUT", DEMO, {"pins": "9d"})).wrong


async def test_an_unknown_account_is_not_found(caller: Caller) -> None:
    """Whatever is asked of it."""
    for method in ("GET", "PUT"):
        reply = await caller.operate(method, "/accounts/nobody/retention", {})
        assert (404, "account_not_found") == reply.refusal
