"""Phones as view models: each kind of message as its recipient sees it (C-39)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.fakes.clocks import StillClock
from watchword.adapters.channels.sandbox import SandboxProvider
from watchword.application.ports.channels import Message, ProviderTemplate
from watchword.domain.channel import Channel
from watchword.entrypoints.console.handsets import handset_id, handsets, received
from watchword.testing import a_message

MESSAGE = a_message()


@pytest.fixture
def provider() -> SandboxProvider:
    """Return a sandbox with an empty outbox."""
    return SandboxProvider(StillClock().now)


async def shown(provider: SandboxProvider, message: Message) -> tuple[str, str, list[str]]:
    """Send a message, and return its subject, its text and what its buttons do."""
    await provider.send({}, message)
    there = received(provider.outbox()[-1], provider, {})
    (bubble,) = there.preview.bubbles
    return (
        "".join(run.text for run in there.preview.subject),
        "".join(run.text for run in bubble.text),
        [button.does for button in bubble.buttons],
    )


async def test_an_email_has_its_subject(provider: SandboxProvider) -> None:
    """And the text below."""
    mail = replace(
        MESSAGE,
        channel=Channel.EMAIL,
        destination="asha@tea.example",
        subject="Your code",
        text="It is 482913.",
    )

    assert ("Your code", "It is 482913.", []) == await shown(provider, mail)


async def test_a_code_by_whatsapp_can_be_copied(provider: SandboxProvider) -> None:
    """The provider has the template's text; the outbox has the code's."""
    template = ProviderTemplate(name="code", code="482913", copy_code_button_index=0)
    code = replace(MESSAGE, channel=Channel.WHATSAPP, text="482913", template=template)

    assert ("", "482913", ["Copies 482913"]) == await shown(provider, code)


async def test_a_channel_of_somebody_elses_shows_its_text(provider: SandboxProvider) -> None:
    """Third parties' contents pass through unchanged."""
    other = replace(MESSAGE, channel="pigeon", text="Coo.")

    assert ("", "Coo.", []) == await shown(provider, other)


async def test_phones_are_told_apart_and_sorted() -> None:
    """Spellings of a number, and of an address, are one phone, with entries of all its channels."""
    clock = StillClock()
    provider = SandboxProvider(clock.now)
    for number, destination in enumerate(
        [
            "+44 7700 900123",
            "Asha@Tea.example",
            "00447700900123",
            "asha@tea.example",
            "447700900124",
        ]
    ):
        clock.move(1)
        channel = Channel.EMAIL if "@" in destination else Channel.SMS
        await provider.send(
            {},
            replace(MESSAGE, destination=destination, reference=f"msg_{number}", channel=channel),
        )
    clock.move(1)
    provider.wrote(Channel.WHATSAPP, "+447700900123", "x" * 200, "msg_answer")
    found = handsets(provider.snapshot())

    assert ["00447700900123", "447700900124", "asha@tea.example"] == [
        each.destination for each in found
    ]
    assert [3, 1, 2] == [len(each.entries) for each in found]
    assert ["sms", "whatsapp"] == found[0].channels
    assert "x" * 80 + "…" == found[0].last_text
    assert found[0].id == handset_id("+447700900123") != found[1].id


async def test_an_address_ends_before_the_sentence_does(provider: SandboxProvider) -> None:
    """Brackets and dots behind it are not part of it; a button's address is followed as well."""
    text = "See (https://tea.example/a?b=c&d=%20), http://x.example. ftp://no.example javascript:x"
    await provider.send({}, replace(MESSAGE, text=text))
    there = received(provider.outbox()[-1], provider, {})

    assert ["https://tea.example/a?b=c&d=%20", "http://x.example"] == [*there.addresses]
