"""The status of a message: a ladder with steps up only, and final statuses beside it (C-22)."""

from __future__ import annotations

from enum import StrEnum

from ..receipt import ReceiptStatus


class MessageStatus(StrEnum):
    """
    The statuses of C-22; `received` is the one status of an inbound message (D-35).

    The steps of the ladder are `accepted` < `sent` < `delivered` < `read`; all others are final.
    """

    ACCEPTED = "accepted"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"
    REJECTED = "rejected"
    EXPIRED = "expired"
    REVOKED = "revoked"
    RECEIVED = "received"

    @property
    def on_its_way(self) -> bool:
        """Whether the recipient may still receive the message."""
        return self in (MessageStatus.ACCEPTED, MessageStatus.SENT)


class Ending(StrEnum):
    """How a fallback run ended the attempt before a step (C-50)."""

    EXPIRED = "expired"
    REVOKED = "revoked"


_LADDER = (
    MessageStatus.ACCEPTED,
    MessageStatus.SENT,
    MessageStatus.DELIVERED,
    MessageStatus.READ,
)


def climbed(status: MessageStatus, reported: ReceiptStatus) -> MessageStatus:
    """
    Return the status after a receipt.

    A lower or repeated receipt changes nothing (C-22). No receipt changes a final status (C-64). A
    failure changes nothing once the message has arrived (C-50).
    """
    if status not in _LADDER:
        return status
    if reported is ReceiptStatus.FAILED:
        return MessageStatus.FAILED if status.on_its_way else status
    return max(status, MessageStatus(reported), key=_LADDER.index)
