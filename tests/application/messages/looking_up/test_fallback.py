"""A message shows its own run, and each step has its own message's status (C-51)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.application.recorded_messages import ACCOUNT, RecordedMessages, entry, rcs_step, sms_step
from tests.domain.message.story import (
    DELIVERED,
    FAILED,
    READ,
    SENT,
    interrupted,
    refused,
    second,
    stayed_silent,
)
from watchword.application.messages.looking_up.reading_histories import (
    HistorySearch,
    ReadingHistories,
)
from watchword.application.messages.looking_up.views import StepProgress
from watchword.domain import fallback_run as runs
from watchword.domain import message as messages


async def steps(histories: ReadingHistories, message_id: str) -> tuple[str, Sequence[StepProgress]]:
    """Return the steps of a message's fallback."""
    fallback = (await entry(histories, message_id)).fallback
    assert fallback is not None
    return fallback.status, fallback.steps


@pytest.fixture(autouse=True)
async def _armed(recorded: RecordedMessages) -> None:
    """Submit a message with a run of two steps."""
    await recorded.submitted("msg_a", run_id="run_a")
    await recorded.armed("run_a", "msg_a", sms_step(), rcs_step())


async def test_a_run_that_waits(histories: ReadingHistories) -> None:
    """It is armed, and so are its steps; its id is the stream's."""
    found = await entry(histories, "msg_a")

    assert found.fallback is not None
    assert "run_a" == found.fallback.run_id
    assert (
        "armed",
        (StepProgress("sms", None, "armed", None), StepProgress("rcs", None, "armed", None)),
    ) == await steps(histories, "msg_a")


async def test_a_step_stands_where_its_message_stands(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """It shows its message's status from the moment it has a message."""
    seen = []

    async def look() -> None:
        seen.append((await steps(histories, "msg_a"))[1][0])

    await recorded.fired("run_a", 60, 1, "msg_step")
    await look()
    await recorded.dispatched("msg_step", 61)
    await recorded.reported("msg_step", 65, READ)
    await look()

    assert [
        StepProgress("sms", "msg_step", "accepted", None),
        StepProgress("sms", "msg_step", "read", None),
    ] == seen
    assert "fired" == (await steps(histories, "msg_a"))[0]


async def test_a_step_that_failed_says_why(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """The reason is that of its final status, not that of earlier or later receipts."""
    await recorded.fired("run_a", 60, 1, "msg_step")
    await recorded.dispatched("msg_step", 61, interrupted())
    await recorded.reported("msg_step", 65, FAILED, "unreachable")
    await recorded.reported("msg_step", 66, SENT)

    assert (
        StepProgress("sms", "msg_step", "failed", "unreachable")
        == (await steps(histories, "msg_a"))[1][0]
    )


@pytest.mark.parametrize(
    ("outcome", "code"), [(refused(), "no_such_table"), (stayed_silent(), "provider_timeout")]
)
async def test_a_step_that_was_rejected_says_why(
    recorded: RecordedMessages, histories: ReadingHistories, outcome: Any, code: str
) -> None:
    """With the provider's code, or the time-out's (C-40)."""
    await recorded.fired("run_a", 60, 1, "msg_step")
    await recorded.dispatched("msg_step", 61, outcome)

    assert (
        StepProgress("sms", "msg_step", "rejected", code) == (await steps(histories, "msg_a"))[1][0]
    )


async def test_an_arrived_step_has_no_error(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """A failure that is reported after the delivery changes nothing (C-50)."""
    await recorded.fired("run_a", 60, 1, "msg_step")
    await recorded.dispatched("msg_step", 61)
    await recorded.reported("msg_step", 65, DELIVERED)
    await recorded.reported("msg_step", 66, FAILED, "too_late")

    assert (
        StepProgress("sms", "msg_step", "delivered", None)
        == (await steps(histories, "msg_a"))[1][0]
    )


async def test_a_step_with_an_invalid_type(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """It has no message: the run is rejected, and the step says why (C-21, C-51)."""
    reject = runs.RejectStep(at=second(60), step=1, error_code="invalid_type")
    for decide, command in ((runs.tick, runs.Tick(at=second(60))), (runs.reject_step, reject)):
        await recorded.run("run_a", 60, decide, command)

    assert (
        "rejected",
        (
            StepProgress("sms", None, "rejected", "invalid_type"),
            StepProgress("rcs", None, "stood_down", None),
        ),
    ) == await steps(histories, "msg_a")


async def test_a_run_that_stood_down(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """Its message arrived: no step is sent."""
    report = runs.TakeAttemptReceipt(at=second(9), message_id="msg_a", status=DELIVERED)
    await recorded.run("run_a", 9, runs.take_receipt, report)

    assert (
        "stood_down",
        (
            StepProgress("sms", None, "stood_down", None),
            StepProgress("rcs", None, "stood_down", None),
        ),
    ) == await steps(histories, "msg_a")


async def test_the_message_that_the_fallback_ended(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """It reads expired, and its history says when."""
    end = messages.EndMessage(at=second(60), revoked=False)
    await recorded.message("msg_a", 60, messages.end, end)
    found = await entry(histories, "msg_a")

    assert "expired" == found.status
    assert [("expired", second(60), None)] == [
        (each.status, each.at, each.error_code) for each in found.events
    ]


async def test_the_message_of_a_step_has_no_fallback(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """It is a message of the history like others; the run is its primary's."""
    await recorded.fired("run_a", 60, 1, "msg_step")

    assert (await entry(histories, "msg_step")).fallback is None
    assert (await entry(histories, "msg_a")).fallback is not None


async def test_a_history_tells_of_runs_too(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """Its entries are those of the status."""
    await recorded.fired("run_a", 60, 1, "msg_step")
    listed = await histories.history(ACCOUNT, HistorySearch())

    assert list(await histories.status(ACCOUNT, ["msg_step", "msg_a"])) == list(listed)
