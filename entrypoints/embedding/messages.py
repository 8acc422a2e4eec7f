"""Messages for embedders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve
from msgspec.structs import replace

from ...application.messages.looking_up.views import (
    FollowedMessage,
    ReportedMessage,
    UnknownMessage,
)
from ...application.messages.sending_messages import SentMessages
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...application.ports.event_store import KeyAnswered
from ..messaging.message_questions import (
    StatusQuestion,
    history_question,
    report_question,
    require_account,
)
from ..messaging.send_bodies import send_request
from ..wire.strict_json import as_from_json
from ..wire.structuring import structure
from .leasing import Facade, Lease
from .references import Reference, account_filter, calling_for, documented
from .saved_results import Saver


class Messages(Facade):
    """Messages on SMS, WhatsApp and RCS, each with its fallback."""

    def __init__(self, lease: Lease) -> None:
        super().__init__(lease)
        self._saver = Saver(lease.parts.idempotency_keys, SentMessages)

    async def send(
        self,
        account: Reference,
        sms: Sequence[Mapping[str, Any]] | None = None,
        wa: Sequence[Mapping[str, Any]] | None = None,
        rcs: Sequence[Mapping[str, Any]] | None = None,
        fallback: Mapping[str, Any] | None = None,
        prefix: str | None = None,
        campaign_name: str | None = None,
        url_shortener: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        template_auto_match: bool = False,
    ) -> SentMessages:
        """
        Send messages on one channel (B1); dictionaries have the wire's spelling (C-65).

        With an `idempotency_key`, the same call within 24 hours returns the first result again. With
        `template_auto_match`, DLT ids are filled in as for an API key that has it (C-30).
        """
        raw = as_from_json(
            documented(
                sms=sms,
                wa=wa,
                rcs=rcs,
                fallback=fallback,
                prefix=prefix,
                campaign_name=campaign_name,
                url_shortener=url_shortener,
            )
        )
        wanted = send_request(
            raw,
            self._parts.third_parties,
            self._parts.short_domains,
            auto_match=template_auto_match,
        )
        by = replace(
            await calling_for(self._parts, account), template_auto_match=template_auto_match
        )
        idempotency = self._saver.idempotency(by, "send", idempotency_key, raw)
        try:
            return await self._parts.sending_messages.send(by, wanted, idempotency)
        except KeyAnswered as known:
            return self._saver.result(idempotency, known.answer)

    async def status(
        self, account: Reference, message_ids: Sequence[str]
    ) -> Sequence[FollowedMessage | UnknownMessage]:
        """Return the statuses of 1 to 100 messages, in the given order (C-23)."""
        asked = structure(documented(message_ids=message_ids), StatusQuestion).message_ids
        account_id = (await calling_for(self._parts, account)).account_id
        return await self._parts.reading_histories.status(account_id, asked)

    async def history(
        self,
        account: Reference,
        *,
        recipient: str | None = None,
        channel: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        page_no: int = 0,
        limit: int = DEFAULT_PAGE_SIZE,
    ) -> Sequence[FollowedMessage]:
        """
        Return a page of an account's messages, sent and received, the newest first (C-23, C-59).

        A `recipient` may have any spelling; pages count from 0 and have 100 messages at most.
        """
        given = documented(
            recipient=recipient,
            channel=channel,
            since=since,
            until=until,
            page_no=page_no,
            limit=limit,
        )
        asked = history_question(given, self._parts.third_parties)
        account_id = (await calling_for(self._parts, account)).account_id
        return await self._parts.reading_histories.history(
            account_id, asked, asked.page_no, asked.limit
        )

    async def list(
        self,
        account: Reference | None = None,
        page: int = 1,
        page_size: int = DEFAULT_PAGE_SIZE,
        *,
        recipient: str | None = None,
        reference: str | None = None,
        status: str | None = None,
        direction: str | None = None,
        channel_type: str | None = None,
        channel_name: str | None = None,
        resource_type: str | None = None,
        tag1: str | None = None,
        tag2: str | None = None,
        tag3: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Listed[ReportedMessage]:
        """
        Search messages, the newest first: the delivery report (C-37).

        A `recipient` may have any spelling. Without an account, only `since` and `until` can filter. A total
        of 10,000 means 10,000 or more.
        """
        given = documented(
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
        )
        asked = report_question(given, self._parts.third_parties)
        search = evolve(asked, account_id=await account_filter(self._parts, account))
        require_account(search, small=self._parts.sandbox is not None)
        return await self._parts.searching_messages.search(search, Paging.clamped(page, page_size))
