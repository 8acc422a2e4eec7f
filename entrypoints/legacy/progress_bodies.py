"""The delivery callback of the legacy platform (SPEC section 6, C-33)."""

from __future__ import annotations

from collections.abc import Mapping

from ...application.callbacks.notifying_senders import Progress
from ...domain.message import MessageStatus
from ..wire.codec import encode, wire_time

# `accepted` was the answer to the send, so it has no callback. All other final statuses are failures (D-101).
_SPELLINGS: Mapping[MessageStatus, str] = {
    MessageStatus.SENT: "SENT",
    MessageStatus.DELIVERED: "DELIVERED",
    MessageStatus.READ: "READ",
    MessageStatus.FAILED: "FAILED",
    MessageStatus.REJECTED: "FAILED",
    MessageStatus.EXPIRED: "FAILED",
    MessageStatus.REVOKED: "FAILED",
}


def progress_body(progress: Progress) -> str | None:
    """Return the body for a status; None for one that has no callback."""
    word = _SPELLINGS.get(progress.status)
    if word is None:
        return None
    event = {
        "status": word,
        "messageId": progress.message_id,
        "timestamp": wire_time(progress.at),
    }
    if word == "FAILED":
        event["reason"] = progress.error_code or str(progress.status)
    # The caller sent this number itself, so it is not masked (C-53).
    body = {"event": event, "phone": progress.recipient, "tags": progress.tags}
    return encode(body).decode()
