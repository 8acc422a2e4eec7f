"""The simulated phones of the sandbox's recipients: receipts and inbound messages (C-39)."""

from __future__ import annotations

from attrs import frozen

from ...adapters.channels.sandbox import SandboxProvider, account_of
from ...application.channel_accounts.managing_channel_accounts import ManagingChannelAccounts
from ...application.journal import Journal
from ...application.messages.tracking.receiving_messages import ReceivingMessages
from ...application.messages.tracking.tracking_receipts import TrackingReceipts
from ...application.ports.channels import InboundMessage
from ...domain.accounts.channel_account import ChannelAccountNotFoundError, channel_account_decider
from ...domain.channel import Channel, ChannelName
from ...domain.message import MessageNotFoundError, message_decider
from ...domain.receipt import ReceiptStatus

PROVIDER = "sandbox"


@frozen
class SandboxPhones:
    """Sends receipts and inbound messages as a provider would, for the sandbox's channel accounts only."""

    provider: SandboxProvider
    journal: Journal
    channel_accounts: ManagingChannelAccounts
    tracking: TrackingReceipts
    receiving: ReceivingMessages
    demo_account_id: str

    async def report_on_message(
        self,
        message_id: str,
        status: ReceiptStatus,
        error_code: str | None = None,
        request_id: str | None = None,
    ) -> None:
        """Report a message's status; raises `MessageNotFoundError` for one that no phone has."""
        loaded = await self.journal.find(message_decider, message_id)
        if loaded is None:
            raise MessageNotFoundError
        message, outcome = loaded.state, loaded.state.outcome
        if outcome is None or not await self._is_ours(message.channel_account_id):
            raise MessageNotFoundError
        if outcome.provider_message_id is not None:
            report = self.provider.report(outcome.provider_message_id, status, error_code)
        elif outcome.doubtful:
            report = self.provider.report_on(message_id, status, error_code)
        else:
            raise MessageNotFoundError
        await self.tracking.track(message.channel_account_id, report, request_id)

    async def report(
        self,
        provider_message_id: str,
        status: ReceiptStatus,
        error_code: str | None = None,
        request_id: str | None = None,
    ) -> None:
        """Report a status by the provider's id; a report with an unknown id is parked (C-22)."""
        report = self.provider.report(provider_message_id, status, error_code)
        channel_account_id = await self._account_of(provider_message_id)
        await self.tracking.track(channel_account_id, report, request_id)

    async def write(
        self,
        channel: Channel,
        sender: str,
        recipient: str,
        text: str,
        request_id: str | None = None,
    ) -> str:
        """Write to the channel account with this sender, or to the demo's first; return the message's id."""
        written_to = await self.channel_accounts.oldest(
            PROVIDER, channel_type=channel, sender=recipient
        )
        found = await self._demos_first(channel) if written_to is None else written_to.id
        return await self._write(found, channel, sender, recipient, text, request_id)

    async def answer(
        self, provider_message_id: str, text: str, request_id: str | None = None
    ) -> str:
        """
        Answer a message of the outbox, to the channel account that sent it; return the answer's id.

        Raises `MessageNotFoundError` for one that no phone has.
        """
        sent = self.provider.find(provider_message_id)
        if sent is None or not await self._is_ours(sent.channel_account_id):
            raise MessageNotFoundError
        return await self._write(
            sent.channel_account_id,
            sent.channel,
            sent.destination,
            sent.sender or PROVIDER,
            text,
            request_id,
        )

    async def _write(
        self,
        channel_account_id: str,
        channel: ChannelName,
        sender: str,
        recipient: str,
        text: str,
        request_id: str | None,
    ) -> str:
        inbound = InboundMessage(sender=sender, recipient=recipient, text=text)
        message_id = await self.receiving.receive(channel_account_id, inbound, request_id)
        self.provider.wrote(channel, sender, text, message_id)
        return message_id

    async def _account_of(self, provider_message_id: str) -> str:
        named = account_of(provider_message_id)
        if named is not None and await self._is_ours(named):
            return named
        return await self._demos_first()

    async def _is_ours(self, channel_account_id: str) -> bool:
        account = await self.journal.find(channel_account_decider, channel_account_id)
        return account is not None and account.state.provider == PROVIDER

    async def _demos_first(self, channel: Channel | None = None) -> str:
        first = await self.channel_accounts.oldest(
            PROVIDER, account_id=self.demo_account_id, channel_type=channel
        )
        if first is None:
            raise ChannelAccountNotFoundError
        return first.id
