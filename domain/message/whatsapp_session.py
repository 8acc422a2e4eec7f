"""The WhatsApp session: the time after a person's message in which no template is needed (C-26)."""

from __future__ import annotations

from datetime import datetime, timedelta

SESSION = timedelta(hours=24)
SESSION_EXPIRED = "The recipient has not written within the last 24 hours. Send a template."


def session_start(now: datetime) -> datetime:
    """Return the earliest time of a person's last message that keeps the session open."""
    return now - SESSION
