"""
The contract of channel providers: every adapter runs it, and it knows the port alone.

An adapter's test subclasses `ChannelProviderContract` and says how to make the provider, a config
that it takes, and destinations that it accepts and rejects.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import attrs
import pytest

from watchword.application.ports.channels import Accepted, ChannelProvider, Message, Rejected
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError

MESSAGE = Message(
    reference="pin_orchid:1:sms",
    channel=Channel.SMS,
    channel_account_id="cha_orchid",
    sender="Orchid",
    destination="+919812345610",
    text="Your code is 4711.",
)


class ChannelProviderContract:
    """What every channel provider promises."""

    @pytest.fixture
    def provider(self) -> ChannelProvider:
        """Give a provider."""
        raise NotImplementedError

    @pytest.fixture
    def config(self) -> Mapping[str, Any]:
        """Give settings that it takes."""
        raise NotImplementedError

    @pytest.fixture
    def rejected(self) -> Message:
        """Give a message that it refuses."""
        raise NotImplementedError

    async def test_its_config_is_kept_as_it_checked_it(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """What a check gives back is taken by the next check, unchanged."""
        kept = provider.check_config(config)

        assert kept == provider.check_config(kept)

    async def test_an_unknown_member_is_refused_with_its_path(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """An unknown member of the config is named (C-63)."""
        with pytest.raises(ValidationFailedError) as refusal:
            provider.check_config({**config, "tea": "green"})

        assert ["config.tea"] == [each.field for each in refusal.value.problems]

    async def test_a_message_that_it_takes_gets_an_id(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Accepted carries the provider's own id, another one for each message."""
        first = await provider.send(config, MESSAGE)
        second = await provider.send(config, attrs.evolve(MESSAGE, reference="pin_orchid:2:sms"))

        assert isinstance(first, Accepted)
        assert isinstance(second, Accepted)
        assert first.provider_message_id != second.provider_message_id

    async def test_a_message_that_it_refuses_is_no_exception(
        self, provider: ChannelProvider, config: Mapping[str, Any], rejected: Message
    ) -> None:
        """Rejected says why, in snake case and in words, and never repeats the text."""
        answer = await provider.send(config, rejected)

        assert isinstance(answer, Rejected)
        assert answer.code == answer.code.lower()
        assert "4711" not in answer.message

    async def test_it_serves_many_at_once(
        self, provider: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """One object serves all sends, from one event loop."""
        sends = [
            provider.send(config, attrs.evolve(MESSAGE, reference=f"pin_{number}:1:sms"))
            for number in range(50)
        ]
        answers = await asyncio.gather(*sends)

        assert 50 == len(
            {each.provider_message_id for each in answers if isinstance(each, Accepted)}
        )
