"""Events of RCS Business Messaging as receipts, and messages of people (C-22, C-34)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .....application.ports.channels import InboundMessage, ProviderReport, Report
from .....domain.limits import UNSTORABLE
from .....domain.receipt import Receipt, ReceiptStatus
from ...ids import id_in
from ...reported_times import reported_time
from ..settings import bare_agent
from .user_messages import text_of

_STATUSES = {
    "DELIVERED": ReceiptStatus.DELIVERED,
    "READ": ReceiptStatus.READ,
    # Google took the message back at its end (C-99).
    "TTL_EXPIRATION_REVOKED": ReceiptStatus.FAILED,
}
_EXPIRED = "expired"


class NotReadableError(Exception):
    """An event is no object, or lacks a member of its kind."""


def report_in(event: Mapping[str, Any], agent_id: str, now: datetime) -> Report | None:
    """
    Return the report in an event; None for one that says nothing of a message.

    Those are typing, subscriptions, launches, events that Google may add, and an expiry after which the
    message may still arrive (D-292). Raises `NotReadableError`.
    """
    addressed_to = _addressed_to(event, agent_id)
    kind = event.get("eventType")
    if kind is not None:
        status = _STATUSES.get(kind) if isinstance(kind, str) else None
        return None if status is None else _receipt(event, status, addressed_to, now)
    text = text_of(event)
    if text is None:
        return None
    sender = id_in(event.get("senderPhoneNumber"))
    if sender is None:
        raise NotReadableError
    return InboundMessage(
        provider_message_id=id_in(event.get("messageId")) or id_in(event.get("eventId")),
        sender=sender,
        recipient=addressed_to.get("agentId", agent_id),
        text=UNSTORABLE.sub("\ufffd", text),
        addressed_to=addressed_to,
    )


def _receipt(
    event: Mapping[str, Any],
    status: ReceiptStatus,
    addressed_to: Mapping[str, str],
    now: datetime,
) -> ProviderReport:
    message_id = id_in(event.get("messageId"))
    if message_id is None:
        raise NotReadableError
    sent = event.get("sendTime")
    return ProviderReport(
        provider_message_id=message_id,
        receipt=Receipt(
            status=status,
            error_code=_EXPIRED if status is ReceiptStatus.FAILED else None,
            reported_at=reported_time(sent if isinstance(sent, str) else None, now),
        ),
        addressed_to=addressed_to,
    )


def _addressed_to(event: Mapping[str, Any], agent_id: str) -> Mapping[str, str]:
    """Return the agent of an event, if it is not that of the address; a partner's webhook hears all."""
    named = id_in(event.get("agentId"))
    if named is None or bare_agent(named) == agent_id:
        return {}
    return {"agentId": bare_agent(named)}
