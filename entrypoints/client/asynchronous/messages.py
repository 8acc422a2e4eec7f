"""Messages on SMS, WhatsApp and RCS."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from .. import calls
from ..data.messages import (
    ChannelFilter,
    CheckStatus,
    ListHistory,
    Message,
    MessageHistory,
    MessageStatus,
    ReportedMessagePage,
    SearchMessages,
    UnknownMessage,
    followed,
)
from ..data.sends import (
    Fallback,
    RcsMessage,
    Send,
    SentMessages,
    SmsMessage,
    UrlShortener,
)
from ..data.wa_messages import WaMessage
from .calling import AsyncCalling


class AsyncMessages:
    """Send messages, and follow them."""

    def __init__(self, calling: AsyncCalling) -> None:
        self._calling = calling

    async def send(
        self,
        *,
        sms: Sequence[SmsMessage] | None = None,
        wa: Sequence[WaMessage] | None = None,
        rcs: Sequence[RcsMessage] | None = None,
        fallback: Fallback | None = None,
        prefix: str | None = None,
        campaign_name: str | None = None,
        url_shortener: UrlShortener | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> SentMessages:
        """
        Send messages on exactly one of the channels (B1), at most 1,000.

        Attempts share one Idempotency-Key, yours or a new one, so a lost answer is no second send. A message
        that its channel refused is an entry with `status` `rejected`. Raise `ValidationFailedError`,
        `TemplateNotFoundError`, `TemplateNotApprovedError` and others.
        """
        request = Send(
            sms=sms,
            wa=wa,
            rcs=rcs,
            fallback=None if fallback is None else fallback.members(),
            prefix=prefix,
            campaign_name=campaign_name,
            url_shortener=url_shortener,
        )
        return await self._calling.make(
            calls.SEND, request, idempotency_key=idempotency_key, timeout=timeout
        )

    async def status(
        self, messages: Sequence[str], *, timeout: float | None = None
    ) -> tuple[Message | UnknownMessage, ...]:
        """Return 1 to 100 messages by their ids, in the order of the ids."""
        request = CheckStatus(message_ids=messages)
        return followed(await self._calling.make(calls.CHECK_STATUS, request, timeout=timeout))

    async def history(
        self,
        *,
        recipient: str | None = None,
        channel: ChannelFilter | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        page_no: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> MessageHistory:
        """
        Return a page of messages sent and received, the newest first; the first page is 0.

        The filters, the recipient included, are in the address.
        """
        request = ListHistory(
            recipient=recipient,
            channel=channel,
            since=since,
            until=until,
            page_no=page_no,
            limit=limit,
        )
        return await self._calling.make(calls.LIST_HISTORY, request, timeout=timeout)

    async def list(
        self,
        *,
        recipient: str | None = None,
        reference: str | None = None,
        status: MessageStatus | None = None,
        direction: Literal["outbound", "inbound"] | None = None,
        channel_type: ChannelFilter | None = None,
        channel_name: str | None = None,
        resource_type: Literal["api", "legacy"] | None = None,
        tag1: str | None = None,
        tag2: str | None = None,
        tag3: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        page: int | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> ReportedMessagePage:
        """
        Search messages (the delivery report); the first page is 1.

        The filters are in the body, so no proxy logs them.
        """
        request = SearchMessages(
            recipient=recipient,
            reference=reference,
            status=status,
            direction=direction,
            channel_type=channel_type,
            channel_name=channel_name,
            resource_type=resource_type,
            tag1=tag1,
            tag2=tag2,
            tag3=tag3,
            since=since,
            until=until,
            page=page,
            page_size=page_size,
        )
        return await self._calling.make(calls.SEARCH_MESSAGES, request, timeout=timeout)
