"""The history of an account or a number, page by page (C-23, C-59)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.application.told_messages import ACCOUNT, OWN_NUMBER, PERSON, ToldMessages
from tests.domain.message.story import second
from watchword.application.journal import Journal
from watchword.application.messages.looking_up.following_messages import (
    FollowingMessages,
    HistorySearch,
)
from watchword.domain.channel import Channel


async def history(
    following: FollowingMessages, page_no: int = 0, limit: int = 25, **search: Any
) -> list[str]:
    """Ask for one page of the account's history, and give the ids on it."""
    found = await following.history(ACCOUNT, HistorySearch(**search), page_no, limit)
    return [each.message_id for each in found]


async def test_the_newest_comes_first_and_ids_break_ties(
    told: ToldMessages, following: FollowingMessages
) -> None:
    """Pages count from 0, never overlap, and are empty past the end."""
    for number, message_id in enumerate("dbacfeg"):
        await told.submitted(f"msg_{message_id}", number // 4)
    pages = [await history(following, page_no, 3) for page_no in range(4)]

    assert [["msg_g", "msg_f", "msg_e"], ["msg_d", "msg_c", "msg_b"], ["msg_a"], []] == pages
    assert [] == await history(following, 10**40, 3)
    assert [] == await history(following, 0, 0)


async def test_a_page_has_25_messages_and_never_more_than_100(
    told: ToldMessages, following: FollowingMessages
) -> None:
    """More than 100 are not served, however many are asked for (C-59)."""
    for number in range(102):
        await told.submitted(f"msg_{number:03}", number)
    by_default = await following.history(ACCOUNT, HistorySearch())

    assert 25 == len(by_default)
    assert 100 == len(await history(following, limit=10**40))
    assert ["msg_001", "msg_000"] == await history(following, page_no=1, limit=101)


async def test_another_accounts_messages_are_not_there(
    told: ToldMessages, following: FollowingMessages, journal: Journal
) -> None:
    """Neither in a list of all, nor under a number that both know (C-7)."""
    neighbour = ToldMessages(journal, "acc_fern")
    await neighbour.submitted("msg_theirs")
    await neighbour.received("msg_to_them")
    await told.submitted("msg_ours")

    assert ["msg_ours"] == await history(following)
    assert ["msg_ours"] == await history(following, recipient=PERSON)
    assert [] == await history(following, recipient=OWN_NUMBER)


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
    told: ToldMessages, following: FollowingMessages, spelled: str
) -> None:
    """All messages to and from the number are found, with the spelling that each had (C-28, C-59)."""
    await told.submitted("msg_a", 1, recipient="+91-98123-45610")
    await told.received("msg_b", 2, sender="919812345610")
    await told.submitted("msg_other", 3, recipient="+919812345611")

    assert ["msg_b", "msg_a"] == await history(following, recipient=spelled)


async def test_an_own_number_finds_what_was_written_to_it(
    told: ToldMessages, following: FollowingMessages
) -> None:
    """An inbound message went to the account's own number, in any spelling."""
    await told.received("msg_a", 1, recipient="447700900123")
    await told.received("msg_b", 2, recipient="TEAHSE")
    await told.submitted("msg_c", 3, sender=OWN_NUMBER)

    assert ["msg_a"] == await history(following, recipient="+44 7700 900123")
    assert ["msg_b"] == await history(following, recipient="TEAHSE")


async def test_a_number_on_both_ends_finds_a_message_once(
    told: ToldMessages, following: FollowingMessages
) -> None:
    """A person who writes to their own number has one list of all messages, in order."""
    await told.received("msg_a", 1, sender=OWN_NUMBER)
    await told.submitted("msg_b", 2, recipient=OWN_NUMBER)
    await told.received("msg_c", 3)
    pages = [await history(following, page_no, 2, recipient=OWN_NUMBER) for page_no in range(2)]

    assert [["msg_c", "msg_b"], ["msg_a"]] == pages


async def test_by_channel(told: ToldMessages, following: FollowingMessages) -> None:
    """One channel's messages, of the account or of a number, third-party channels too."""
    await told.submitted("msg_a", 1)
    await told.submitted("msg_b", 2, channel=Channel.RCS)
    await told.submitted("msg_c", 3, channel="viber", recipient="+919812345611")
    await told.received("msg_d", 4)

    assert ["msg_d"] == await history(following, channel="whatsapp")
    assert ["msg_c"] == await history(following, channel="viber")
    assert ["msg_a"] == await history(following, channel="sms", recipient=PERSON)
    assert [] == await history(following, channel="viber", recipient=PERSON)
    assert [] == await history(following, channel="email")


async def test_by_time(told: ToldMessages, following: FollowingMessages) -> None:
    """Created at `since` or later, and before `until`, together with everything else."""
    for number in range(4):
        await told.submitted(f"msg_{number}", number)
    between: dict[str, Any] = {"since": second(1), "until": second(3)}

    assert ["msg_2", "msg_1"] == await history(following, **between)
    assert ["msg_2", "msg_1"] == await history(following, recipient=PERSON, **between)
    assert ["msg_3"] == await history(following, since=second(3), channel="sms")
    assert ["msg_0"] == await history(following, until=second(1))
    assert [] == await history(following, since=second(3), until=second(1))
