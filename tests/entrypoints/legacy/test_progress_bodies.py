"""The delivery callback in the words of SPEC section 6 (C-33)."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from watchword.application.callbacks.notifying_senders import Progress
from watchword.domain.message import MessageStatus
from watchword.entrypoints.legacy.progress_bodies import progress_body

WORDS = {
    MessageStatus.ACCEPTED: None,
    MessageStatus.SENT: ("SENT", None),
    MessageStatus.DELIVERED: ("DELIVERED", None),
    MessageStatus.READ: ("READ", None),
    MessageStatus.FAILED: ("FAILED", "failed"),
    MessageStatus.REJECTED: ("FAILED", "rejected"),
    MessageStatus.EXPIRED: ("FAILED", "expired"),
    MessageStatus.REVOKED: ("FAILED", "revoked"),
    MessageStatus.RECEIVED: None,
}


@pytest.mark.parametrize("status", MessageStatus)
def test_every_status_has_its_word_or_none(status: MessageStatus) -> None:
    """All ends are failures; nothing but a failure has a reason."""
    written = progress_body(progress(status))
    event = json.loads(written)["event"] if written else None

    assert WORDS[status] == (event and (event["status"], event.get("reason")))


def test_a_callback_is_written_to_the_letter() -> None:
    """With the number in full, and the tags of the send."""
    assert (
        '{"event":{"status":"FAILED","messageId":"msg_tea","timestamp":"2031-05-04T12:00:00.250Z",'
        '"reason":"absent"},"phone":"+4915112345610","tags":{"tag1":"tea"}}'
    ) == progress_body(progress(MessageStatus.FAILED, "absent"))


def progress(status: MessageStatus, error_code: str | None = None) -> Progress:
    """Return the progress of a status."""
    return Progress(
        message_id="msg_tea",
        status=status,
        error_code=error_code,
        at=datetime(2031, 5, 4, 12, 0, 0, 250_000, UTC),
        recipient="+4915112345610",
        tags={"tag1": "tea"},
    )
