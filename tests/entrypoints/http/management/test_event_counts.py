"""`GET /admin/v1/log/stats` says how much of what the log has (C-105)."""

from __future__ import annotations

from collections import Counter

from tests.entrypoints.caller import Caller


async def test_the_log_is_counted_by_name(caller: Caller) -> None:
    """The counts are those of the log itself, and grow with it."""
    for _ in range(2):
        await caller.created()
        log = (await caller.operated("GET", "/events?limit=1000"))["data"]
        counts = await caller.operated("GET", "/log/stats")

        assert len(log) == counts["events"]
        assert Counter(each["type"] for each in log) == counts["types"]


async def test_unknown_parameters_are_refused(caller: Caller) -> None:
    """There is nothing to choose."""
    assert 400 == (await caller.operate("GET", "/log/stats?type=PinIssued")).status
