"""The sandbox provider keeps the contract, and stands for the recipients' phones (C-39, C-40)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import pytest

from tests.contracts.channel_provider_contract import MESSAGE, ChannelProviderContract
from tests.fakes.clocks import StillClock
from watchword.adapters.channels.sandbox import CAPACITY, SandboxProvider
from watchword.application.ports.channels import Message, ProviderTemplate, Rejected
from watchword.domain.channel import Channel


@pytest.fixture
def provider() -> Iterator[SandboxProvider]:
    """Give a sandbox with an empty outbox."""
    sandbox = SandboxProvider(StillClock().now)
    yield sandbox
    sandbox.close()


class TestSandboxProvider(ChannelProviderContract):
    """The contract."""

    @pytest.fixture
    def provider(self) -> Iterator[SandboxProvider]:
        """Give a sandbox."""
        sandbox = SandboxProvider(StillClock().now)
        yield sandbox
        sandbox.close()

    @pytest.fixture
    def config(self) -> Mapping[str, Any]:
        """Give settings with all their members but the one that decides."""
        return {"mirror": "udp://127.0.0.1:9"}

    @pytest.fixture
    def rejected(self) -> Message:
        """Give a message to a destination that rejects."""
        return attrs.evolve(MESSAGE, destination="+919812340001")


async def test_the_outbox_keeps_the_newest(provider: SandboxProvider) -> None:
    """At most 10,000 messages; the oldest go first, and ids go on counting."""
    for _ in range(CAPACITY + 2):
        await provider.send({}, MESSAGE)
    kept = provider.outbox()

    assert CAPACITY == len(kept)
    assert ("3", str(CAPACITY + 2)) == (kept[0].id, kept[-1].id)


async def test_a_message_is_kept_as_it_was_given(provider: SandboxProvider) -> None:
    """Channel, account, destination, sender, text and time, by the sandbox's clock."""
    await provider.send({}, attrs.evolve(MESSAGE, channel=Channel.EMAIL, subject="Code"))
    (kept,) = provider.outbox()

    assert (Channel.EMAIL, "cha_orchid", "+919812345610", "Orchid") == (
        kept.channel,
        kept.channel_account_id,
        kept.destination,
        kept.sender,
    )
    assert ("Your code is 4711.", "Code", None) == (kept.text, kept.subject, kept.payload)
    assert StillClock().now() == kept.at


async def test_a_providers_template_is_shown(provider: SandboxProvider) -> None:
    """What WhatsApp would fill in stands in the payload."""
    template = ProviderTemplate(name="tea_code", language="en", code="4711", params={"1": "Ann"})
    await provider.send({}, attrs.evolve(MESSAGE, template=template))

    assert template == provider.outbox()[0].payload


async def test_silence_lasts(provider: SandboxProvider) -> None:
    """A destination ending in 0004 is never answered: whoever calls sets the limit."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await provider.send({}, attrs.evolve(MESSAGE, destination="+919812340004"))

    assert [] == list(provider.outbox())


async def test_an_account_decides_before_the_destination(provider: SandboxProvider) -> None:
    """`outcome` holds for all messages of a channel account."""
    answer = await provider.send({"outcome": "rejected"}, MESSAGE)

    assert Rejected("sandbox_rejected", "The sandbox rejects this destination.") == answer


async def test_no_code_shows_in_a_messages_repr(provider: SandboxProvider) -> None:
    """What may carry a code is out of `repr`, so that no log catches it (C-31)."""
    await provider.send({}, MESSAGE)

    assert "4711" not in repr(provider.outbox()) + repr(MESSAGE)
