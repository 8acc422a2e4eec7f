"""The status of messages: one entry for each id, in the order asked (C-23)."""

from __future__ import annotations

from attrs import astuple, evolve

from tests.application.recorded_messages import (
    ACCOUNT,
    OWN_NUMBER,
    PERSON,
    SECRET_TEXT,
    RecordedMessages,
    entry,
    sms_step,
)
from tests.domain.message.story import DELIVERED, FAILED, SENT, second
from watchword.application.messages.looking_up.reading_histories import (
    HistorySearch,
    ReadingHistories,
)
from watchword.application.messages.looking_up.views import FollowedMessage, UnknownMessage


async def test_a_message_that_was_taken_in(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """It has all that it was submitted with except its content, and no receipts."""
    await recorded.submitted("msg_a")

    assert FollowedMessage(
        message_id="msg_a",
        channel="sms",
        sender="TEAHSE",
        recipient=PERSON,
        status="accepted",
        direction="outbound",
        created_at=second(0),
        updated_at=second(0),
        cust_refs={"custRef1": "table-7"},
        events=(),
    ) == await entry(histories, "msg_a")


async def test_everything_that_was_heard_is_told_in_order(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """Receipts appear at the time that the provider names, whatever they changed (C-22, D-35)."""
    await recorded.submitted("msg_a")
    await recorded.dispatched("msg_a", 1)
    await recorded.reported("msg_a", 5, DELIVERED)
    await recorded.reported("msg_a", 7, SENT)
    await recorded.reported("msg_a", 9, FAILED, "too_late")
    found = await entry(histories, "msg_a")

    assert ("delivered", second(9)) == (found.status, found.updated_at)
    assert [
        ("accepted", second(1), None),
        ("delivered", second(4), None),
        ("sent", second(6), None),
        ("failed", second(8), "too_late"),
    ] == [(each.status, each.at, each.error_code) for each in found.events]


async def test_a_message_that_came_in(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """Its sender is the person, and it was received (C-59)."""
    await recorded.received("msg_in", 3)
    found = await entry(histories, "msg_in")

    assert (PERSON, OWN_NUMBER) == (found.sender, found.recipient)
    assert ("inbound", "received", "whatsapp") == (
        found.direction,
        found.status,
        found.channel,
    )
    assert [("received", second(3), None)] == [
        (each.status, each.at, each.error_code) for each in found.events
    ]


async def test_entries_come_in_the_order_asked(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """One for each id, twice for one that is asked for twice."""
    for message_id in ("msg_a", "msg_b", "msg_c"):
        await recorded.submitted(message_id)
    asked = ["msg_c", "msg_none", "msg_a", "msg_c"]

    assert asked == [each.message_id for each in await histories.status(ACCOUNT, asked)]


async def test_what_is_no_message_of_the_account_is_unknown(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """Another account's message, and a run, read as an unknown id (C-7)."""
    await evolve(recorded, of="acc_fern").submitted("msg_theirs")
    await recorded.submitted("msg_a", run_id="run_a")
    await recorded.armed("run_a", "msg_a", sms_step())
    asked = ["msg_theirs", "msg_none", "run_a", "pin_1", ""]

    assert [UnknownMessage(message_id=each) for each in asked] == list(
        await histories.status(ACCOUNT, asked)
    )
    assert {"unknown"} == {each.status for each in await histories.status(ACCOUNT, asked)}


async def test_no_entry_says_what_its_message_says(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """Texts stand in no entry, of either direction, and in no step (C-23)."""
    await recorded.submitted("msg_a", run_id="run_a")
    await recorded.armed("run_a", "msg_a", sms_step())
    await recorded.received("msg_in")
    found = await histories.status(ACCOUNT, ["msg_a", "msg_in"])
    listed = await histories.history(ACCOUNT, HistorySearch())

    assert 2 == len(listed)
    for each in (*found, *listed):
        assert isinstance(each, FollowedMessage)
        assert SECRET_TEXT not in str(astuple(each))
