"""The history of an account or a number, page by page (C-23, C-59)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tests.application.recorded_messages import ACCOUNT, OWN_NUMBER, PERSON, RecordedMessages
from tests.domain.message.story import second
from watchword.application.messages.looking_up.reading_histories import (
    HistorySearch,
    ReadingHistories,
)
from watchword.domain.channel import Channel


async def history(
    histories: ReadingHistories, page_no: int = 0, limit: int = 25, **search: Any
) -> list[str]:
    """Ask for one page of the account's history, and return the ids on it."""
    found = await histories.history(ACCOUNT, HistorySearch(**search), page_no, limit)
    return [each.message_id for each in found]


async def test_the_newest_comes_first_and_ids_break_ties(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """Pages count from 0, never overlap, and are empty past the end."""
    for number, message_id in enumerate("dbacfeg"):
        await recorded.submitted(f"msg_{message_id}", number // 4)
    pages = [await history(histories, page_no, 3) for page_no in range(4)]

    assert [["msg_g", "msg_f", "msg_e"], ["msg_d", "msg_c", "msg_b"], ["msg_a"], []] == pages
    assert [] == await history(histories, 10**40, 3)
    assert [] == await history(histories, 0, 0)


async def test_a_page_has_25_messages_and_never_more_than_100(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """A larger limit is cut to 100 (C-59)."""
    for number in range(102):
        await recorded.submitted(f"msg_{number:03}", number)
    by_default = await histories.history(ACCOUNT, HistorySearch())

    assert 25 == len(by_default)
    assert 100 == len(await history(histories, limit=10**40))
    assert ["msg_001", "msg_000"] == await history(histories, page_no=1, limit=101)


async def test_another_accounts_messages_are_not_there(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """They are in no list, also under a number that both accounts use (C-7)."""
    neighbour = evolve(recorded, of="acc_fern")
    await neighbour.submitted("msg_theirs")
    await neighbour.received("msg_to_them")
    await recorded.submitted("msg_ours")

    assert ["msg_ours"] == await history(histories)
    assert ["msg_ours"] == await history(histories, recipient=PERSON)
    assert [] == await history(histories, recipient=OWN_NUMBER)


@pytest.mark.parametrize(
    "spelled",
    [
        "+919812345610",
        " 919812345610",
        "00919812345610",
        "+91 (98123) 456-10",
        "+91 98123 45610",
    ],
)
async def test_a_person_is_found_by_any_spelling(
    recorded: RecordedMessages, histories: ReadingHistories, spelled: str
) -> None:
    """All messages to and from the number are found, with the spelling that each had (C-28, C-59)."""
    await recorded.submitted("msg_a", 1, recipient="+91-98123-45610")
    await recorded.received("msg_b", 2, sender="919812345610")
    await recorded.submitted("msg_other", 3, recipient="+919812345611")

    assert ["msg_b", "msg_a"] == await history(histories, recipient=spelled)


async def test_an_own_number_finds_what_was_written_to_it(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """An inbound message went to the account's own number, in any spelling."""
    await recorded.received("msg_a", 1, recipient="447700900123")
    await recorded.received("msg_b", 2, recipient="TEAHSE")
    await recorded.submitted("msg_c", 3, sender=OWN_NUMBER)

    assert ["msg_a"] == await history(histories, recipient="+44 7700 900123")
    assert ["msg_b"] == await history(histories, recipient="TEAHSE")


async def test_a_number_on_both_ends_finds_a_message_once(
    recorded: RecordedMessages, histories: ReadingHistories
) -> None:
    """A person who writes to their own number has one list of all messages, in order."""
    await recorded.received("msg_a", 1, sender=OWN_NUMBER)
    await recorded.submitted("msg_b", 2, recipient=OWN_NUMBER)
    await recorded.received("msg_c", 3)
    pages = [await history(histories, page_no, 2, recipient=OWN_NUMBER) for page_no in range(2)]

    assert [["msg_c", "msg_b"], ["msg_a"]] == pages


async def test_by_channel(recorded: RecordedMessages, histories: ReadingHistories) -> None:
    """One channel's messages, of the account or of a number, third-party channels too."""
    await recorded.submitted("msg_a", 1)
    await recorded.submitted("msg_b", 2, channel=Channel.RCS)
    await recorded.submitted("msg_c", 3, channel="viber", recipient="+919812345611")
    await recorded.received("msg_d", 4)

    assert ["msg_d"] == await history(histories, channel="whatsapp")
    assert ["msg_c"] == await history(histories, channel="viber")
    assert ["msg_a"] == await history(histories, channel="sms", recipient=PERSON)
    assert [] == await history(histories, channel="viber", recipient=PERSON)
    assert [] == await history(histories, channel="email")


async def test_by_time(recorded: RecordedMessages, histories: ReadingHistories) -> None:
    """Created at `since` or later, and before `until`, together with everything else."""
    for number in range(4):
        await recorded.submitted(f"msg_{number}", number)
    between: dict[str, Any] = {"since": second(1), "until": second(3)}

    assert ["msg_2", "msg_1"] == await history(histories, **between)
    assert ["msg_2", "msg_1"] == await history(histories, recipient=PERSON, **between)
    assert ["msg_3"] == await history(histories, since=second(3), channel="sms")
    assert ["msg_0"] == await history(histories, until=second(1))
    assert [] == await history(histories, since=second(3), until=second(1))
