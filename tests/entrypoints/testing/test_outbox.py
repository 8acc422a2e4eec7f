"""The outbox of a test: which messages and codes it finds, and what its asserts say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from watchword.adapters.channels.sandbox_outbox import SandboxMessage
from watchword.domain.channel import Channel
from watchword.testing import SandboxOutbox

NUMBER = "+447700900010"


def sent(text: str, destination: str = NUMBER, channel: str = Channel.SMS) -> SandboxMessage:
    """Make a message."""
    return SandboxMessage(
        id="1",
        at=datetime(2031, 5, 4, tzinfo=UTC),
        channel=channel,
        channel_account_id="cha_1",
        destination=destination,
        sender="Tea",
        text=text,
        subject=None,
        payload=None,
        provider_message_id="sandbox_1",
        message_id=None,
    )


def outbox(*messages: SandboxMessage, codes: tuple[str, ...] = ()) -> SandboxOutbox:
    """Make an outbox of a service that made some codes."""
    return SandboxOutbox(lambda: messages, lambda: codes, lambda: None)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Order 471100: 123456 is your code.", "123456"),
        ("G-123456 is your code", "123456"),
        ("Your code: 123456\n\n@shop.example #123456", "123456"),
        ("DO NOT SHARE KWXZ with anybody.", "KWXZ"),
    ],
)
def test_another_number_is_no_code(text: str, code: str) -> None:
    """Of all numbers and capital letters, those that the service made are a code."""
    assert code == outbox(sent(text), codes=("987654", code)).code_for(NUMBER)


def test_a_part_of_a_longer_number_is_no_code() -> None:
    """A code stands alone, or beside other characters than letters and digits."""
    with pytest.raises(AssertionError, match="No code was sent"):
        outbox(sent("Order 1234567."), codes=("123456",)).code_for(NUMBER)


def test_the_newest_code_is_found_behind_other_messages() -> None:
    """What was sent later and has no code does not hide it; of two codes it is the later one."""
    there = outbox(
        sent("Your code: 1111."),
        sent("Your code: 2222."),
        sent("Thank you."),
        sent("Your code: 3333.", channel=Channel.WHATSAPP),
        codes=("1111", "2222", "3333"),
    )

    assert "3333" == there.code_for(NUMBER)
    assert "2222" == there.code_for(NUMBER, "sms")


@pytest.mark.parametrize("spelled", ["+44 7700 900010", "00447700900010", "+44-7700-900-010"])
def test_all_spellings_find_a_message(spelled: str) -> None:
    """As limits count them together."""
    there = outbox(sent("Hello"))

    assert "Hello" == there.last_to(spelled).text
    with pytest.raises(AssertionError, match="1 message went to"):
        there.assert_nothing_sent_to(spelled)


def test_an_assert_names_the_messages() -> None:
    """The newest five, each on one line that is cut after a hundred characters."""
    there = outbox(*[sent(f"{number}\n" + "tea " * 40) for number in range(7)])
    with pytest.raises(AssertionError) as failed:
        there.assert_nothing_sent()
    first, hidden, *lines = str(failed.value).splitlines()

    assert ("7 messages went out:", "  … 2 older") == (first, hidden)
    assert 5 == len(lines)
    assert lines[0].startswith(f"  sms to {NUMBER}: 2 tea tea")
    assert lines[0].endswith("te…")
    assert all(len(each) < 130 for each in lines)


def test_nothing_sent_passes() -> None:
    """To a number, on a channel, or at all."""
    outbox().assert_nothing_sent()
    outbox(sent("Hello")).assert_nothing_sent_to("+447700900011")
    outbox(sent("Hello")).assert_nothing_sent_to(NUMBER, "whatsapp")
