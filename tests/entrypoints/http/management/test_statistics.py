"""`GET /admin/v1/stats` tells what became of codes (C-80, C-103)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE
NOTHING: dict[str, Any] = {
    "sent": 0,
    "accepted": 0,
    "delivered": 0,
    "verified": 0,
    "expired": 0,
    "blocked": 0,
    "refused": 0,
    "test": 0,
    "secondsToVerify": {"p50": None, "p95": None},
}


async def told(caller: Caller, query: str = "") -> dict[str, Any]:
    """Ask when the worker has counted the log."""
    path = f"/stats?account=demo{query}"
    while True:
        newest = (await caller.operated("GET", "/events?limit=1000"))["next"]
        answer: dict[str, Any] = await caller.operated("GET", path)
        if answer["position"] >= newest:
            return answer


async def three_codes(caller: Caller) -> None:
    """Send a code that is verified, one by two channels, and one that nobody enters."""
    pin = await caller.created("+919812345610")
    await caller.verify(pin, (await caller.codes())[-1])
    await caller.created("+447700900123", channels=["sms", "whatsapp"])
    await caller.created("+447700900124")


async def test_a_send_counts_once_as_a_whole(caller: Caller) -> None:
    """An hour has one row, whatever its channels were; nobody has expired yet."""
    await three_codes(caller)
    (row,) = (await told(caller))["data"]

    assert row.pop("at").endswith(":00:00.000Z")
    assert {"sent": 3, "accepted": 3, "verified": 1}.items() <= row.items()
    assert (0, 0, 0) == (row["expired"], row["blocked"], row["test"])
    assert "cost" not in row


@pytest.mark.parametrize(
    ("group", "sent"),
    [
        ("country", {"GB": 2, "IN": 1}),
        ("channel", {"sms": 3, "whatsapp": 1}),
        ("provider", {"sandbox": 4}),
    ],
)
async def test_a_row_has_a_member_named_as_the_group(
    caller: Caller, group: str, sent: dict[str, int]
) -> None:
    """By channel, a send counts on each of its channels."""
    await three_codes(caller)
    data = (await told(caller, f"&group={group}"))["data"]

    assert sent == {row[group]: row["sent"] for row in data}


async def test_templates_and_channel_accounts_have_ids(caller: Caller) -> None:
    """Those by which the other routes find them."""
    await caller.created()
    (by_template,) = (await told(caller, "&group=template"))["data"]
    (by_account,) = (await told(caller, "&group=channelAccount&by=day"))["data"]

    assert caller.template == by_template["template"]
    assert by_account["channelAccount"].startswith("cha_")
    assert by_account["at"].endswith("T00:00:00.000Z")


async def test_a_pin_expires_when_its_time_is_over(caller: Caller) -> None:
    """Without any event; a verified one stays verified."""
    await three_codes(caller)
    await told(caller)
    await caller.post("/sandbox/clock/advance", {"seconds": 900})
    (row,) = (await told(caller, "&by=day"))["data"]

    assert (2, 1) == (row["expired"], row["verified"])


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("by=week", ["by"]),
        ("group=person", ["group"]),
        ("from=noon", ["from"]),
        ("to=noon&by=week", ["by", "to"]),
        ("from=2031-05-02&to=2031-05-01", ["to"]),
        ("from=2001-01-01", ["from"]),
        ("until=2031-05-02", ["until"]),
    ],
)
async def test_what_is_wrong_is_named(caller: Caller, query: str, wrong: list[str]) -> None:
    """An unknown parameter is refused, too: it would widen the question (C-93)."""
    refused = await caller.using("sandbox-admin").get(f"/admin/v1/stats?{query}")

    assert wrong == sorted(refused.wrong)


@pytest.mark.parametrize("query", ["to=0001-01-02", "to=0001-01-02&by=day", "to=9999-12-31&by=day"])
async def test_a_range_may_end_near_the_first_and_the_last_time(caller: Caller, query: str) -> None:
    """Without a beginning, it begins no earlier than time itself; nothing was sent there."""
    assert [] == (await caller.operated("GET", f"/stats?account=demo&{query}"))["data"]


@pytest.mark.parametrize("query", ["to=0001-01-01", "to=0001-01-01&by=day"])
async def test_nothing_is_before_the_first_time(caller: Caller, query: str) -> None:
    """A range that ends with the first time is empty, and so is refused."""
    refused = await caller.using("sandbox-admin").get(f"/admin/v1/stats?{query}")

    assert ["to"] == refused.wrong


async def test_an_unknown_account_has_no_figures(caller: Caller) -> None:
    """It is not found; a known one without sends has no rows."""
    refused = await caller.using("sandbox-admin").get("/admin/v1/stats?account=nobody")
    await caller.operated("POST", "/accounts", {"name": "quiet"})
    quiet = await caller.operated("GET", "/stats?account=quiet")

    assert (404, "account_not_found") == refused.refusal
    assert [] == quiet["data"]
