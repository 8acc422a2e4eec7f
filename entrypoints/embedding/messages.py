"""Messages for embedders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...application.ports.event_store import KeyAnswered
from ...application.sending_messages import SentMessages
from ..send_bodies import send_request
from ..strict_json import as_from_json
from ..wiring import Wired
from .references import Reference, acting_for, documented
from .saved_results import Saver


class Messages:
    """Messages on SMS, WhatsApp and RCS, each with its fallback."""

    def __init__(self, parts: Wired) -> None:
        self._parts = parts
        self._saver = Saver(parts.idempotency_keys, SentMessages)

    async def send(
        self,
        account: Reference,
        sms: Sequence[Mapping[str, Any]] | None = None,
        wa: Sequence[Mapping[str, Any]] | None = None,
        rcs: Sequence[Mapping[str, Any]] | None = None,
        fallback: Mapping[str, Any] | None = None,
        prefix: str | None = None,
        campaign_name: str | None = None,
        idempotency_key: str | None = None,
    ) -> SentMessages:
        """
        Send messages on one channel (B1); dictionaries have the wire's spelling (C-65).

        With an `idempotency_key`, the same call within 24 hours gives the first result again.
        """
        raw = as_from_json(
            documented(
                sms=sms,
                wa=wa,
                rcs=rcs,
                fallback=fallback,
                prefix=prefix,
                campaign_name=campaign_name,
            )
        )
        wanted = send_request(raw, self._parts.third_parties)
        by = await acting_for(self._parts, account)
        idempotency = self._saver.idempotency(by, "send", idempotency_key, raw)
        try:
            return await self._parts.sending_messages.send(by, wanted, idempotency)
        except KeyAnswered as known:
            return self._saver.result(known.answer)
