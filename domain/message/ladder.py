"""The status of a message: a ladder that is only climbed, and the ends beside it (C-22)."""

from __future__ import annotations

from enum import StrEnum

from ..receipt import ReceiptStatus


class MessageStatus(StrEnum):
    """
    The words of C-22; `received` is the one status of an inbound message (D-35).

    Steps of the ladder are `accepted` < `sent` < `delivered` < `read`; all others are ends.
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
        """Whether the recipient may still get the message."""
        return self in (MessageStatus.ACCEPTED, MessageStatus.SENT)


class Ending(StrEnum):
    """How a fallback ends the attempt before it (C-50)."""

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
    Return the status that a receipt leads to.

    A lower or repeated one changes nothing (C-22), nor does any once the message has come to an end
    (C-64), nor a failure once it has arrived (C-50).
    """
    if status not in _LADDER:
        return status
    if reported is ReceiptStatus.FAILED:
        return MessageStatus.FAILED if status.on_its_way else status
    return max(status, MessageStatus(reported), key=_LADDER.index)
