"""The promises of a provider about revokes (C-20)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from ....application.ports.channels import Accepted, ChannelProvider, SentMessage
from ....domain.channel import ChannelName
from ....domain.fallback_run import RevokeOutcome
from .hooks import PATIENCE, ContractHooks, as_sent, sent


class RevokingPromises(ContractHooks):
    """The promises about revokes."""

    @pytest.mark.asyncio
    async def test_what_has_not_arrived_is_revoked_where_the_channel_can(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Elsewhere nothing is revoked, and nothing fails (C-20)."""
        outcomes = {
            channel: await self._revoked(opened, config, channel, has_arrived=False)
            for channel in self.channels(opened)
        }

        assert {
            channel: RevokeOutcome.REVOKED
            if opened.can_revoke(channel)
            else RevokeOutcome.NOT_REVOKED
            for channel in outcomes
        } == outcomes

    @pytest.mark.asyncio
    async def test_what_has_arrived_is_not_revoked(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """If the channel knows, it says that the recipient has the message."""
        able = [each for each in self.channels(opened) if opened.can_revoke(each)]
        outcomes = [await self._revoked(opened, config, each, has_arrived=True) for each in able]

        assert [RevokeOutcome.DELIVERED] * len(able) == outcomes

    @pytest.mark.asyncio
    async def test_what_may_never_have_been_sent_has_not_arrived(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Else its fallback would not fire after an unknown outcome, and nobody would get it (C-68)."""
        for channel in self.channels(opened):
            message = self.message(channel, 99)
            doubtful = SentMessage(
                reference=message.reference,
                destination=message.destination,
                sender=message.sender,
                outcome_unknown=True,
            )
            async with asyncio.timeout(PATIENCE):
                outcome = await opened.revoke(config, channel, doubtful)

            assert RevokeOutcome.DELIVERED is not outcome, channel

    async def _revoked(
        self,
        provider: ChannelProvider,
        config: Mapping[str, Any],
        channel: ChannelName,
        *,
        has_arrived: bool,
    ) -> RevokeOutcome:
        message = self.message(channel)
        answer = await sent(provider, config, message)
        assert isinstance(answer, Accepted), (channel, answer)
        if has_arrived:
            self.arrive(provider, answer.provider_message_id)
        async with asyncio.timeout(PATIENCE):
            return await provider.revoke(config, channel, as_sent(message, answer))
