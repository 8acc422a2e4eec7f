"""The phones of the sandbox's recipients: what they say of messages, and what they write (C-39)."""

from __future__ import annotations

from attrs import frozen

from ..adapters.channels.sandbox import SandboxProvider, account_of
from ..application.journal import Journal
from ..application.messages.tracking.receiving_messages import ReceivingMessages
from ..application.messages.tracking.tracking_receipts import TrackingReceipts
from ..application.paging import Paging
from ..application.ports.channels import InboundMessage
from ..application.ports.listings import Equals, Filter, Query
from ..application.records.channel_account import ChannelAccountRow
from ..domain.channel import Channel
from ..domain.channel_account import ChannelAccountNotFoundError, channel_account_decider
from ..domain.message import MessageNotFoundError, message_decider
from ..domain.receipt import ReceiptStatus

PROVIDER = "sandbox"


@frozen
class SandboxPhones:
    """Reports and writes in, as a provider would, for the sandbox's channel accounts alone."""

    provider: SandboxProvider
    journal: Journal
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
        """Say what became of a message; raises `MessageNotFoundError` for one that no phone has."""
        message = (await self.journal.load(message_decider, message_id)).state
        outcome = message.outcome
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
        """Say what became of what the provider knows by an id; an unknown one is parked (C-22)."""
        report = self.provider.report(provider_message_id, status, error_code)
        channel_account_id = await self._behind(provider_message_id)
        await self.tracking.track(channel_account_id, report, request_id)

    async def write(
        self,
        channel: Channel,
        sender: str,
        recipient: str,
        text: str,
        request_id: str | None = None,
    ) -> str:
        """Write to the channel account with this sender, else to the demo's first; gives the id."""
        on_channel = Equals("channel_type", str(channel))
        found = await self._first(on_channel, Equals("sender", recipient))
        if found is None:
            found = await self._demos_first(on_channel)
        inbound = InboundMessage(sender=sender, recipient=recipient, text=text)
        return await self.receiving.receive(found, inbound, request_id)

    async def _behind(self, provider_message_id: str) -> str:
        named = account_of(provider_message_id)
        if named is not None and await self._is_ours(named):
            return named
        return await self._demos_first()

    async def _is_ours(self, channel_account_id: str) -> bool:
        account = await self.journal.load(channel_account_decider, channel_account_id)
        return account.state.provider == PROVIDER

    async def _demos_first(self, *where: Filter) -> str:
        first = await self._first(Equals("account_id", self.demo_account_id), *where)
        if first is None:
            raise ChannelAccountNotFoundError
        return first

    async def _first(self, *where: Filter) -> str | None:
        """Give the oldest of the sandbox's channel accounts that are so."""
        asked = (Equals("provider", PROVIDER), *where)
        query = Query(rows=ChannelAccountRow, where=asked, descending=False)
        listed = await self.journal.listed(query, Paging(page_size=1))
        return listed.data[0].id if listed.data else None
