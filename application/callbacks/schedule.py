"""The schedule of a delivery's attempts: growing pauses, for three days (C-33)."""

from __future__ import annotations

from datetime import datetime, timedelta

GIVES_UP_AFTER = timedelta(days=3)
SHORTEST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(hours=8)


def next_attempt(queued_at: datetime, now: datetime, chance: float) -> datetime | None:
    """
    Return the time of the attempt after one that failed `now`; None when three days are over.

    Each pause is about as long as all the time before it. `chance`, from 0 to 1, makes it up to a
    quarter shorter or longer, so that deliveries that failed together are not repeated together.
    """
    waited = now - queued_at
    if waited >= GIVES_UP_AFTER:
        return None
    pause = min(max(waited, SHORTEST_PAUSE), LONGEST_PAUSE) * (0.75 + chance / 2)
    return min(now + pause, queued_at + GIVES_UP_AFTER)
