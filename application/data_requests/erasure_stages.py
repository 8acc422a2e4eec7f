"""The stages of an erasure after its first append, and the due rows that leave them to the worker."""

from __future__ import annotations

from datetime import datetime, timedelta

from ..ports.event_store import Due, DueKind

# The numbers of the due rows: end what would still happen, scrub the files, and let every node forget.
END, SCRUB, FORGET = 1, 2, 3
ALL = (END, SCRUB, FORGET)
# The command does the work itself. The worker takes over if the command's process dies.
LEFT_FOR = timedelta(seconds=10)
# Longer than every node's poll (`LONGEST_SLEEP`), so that each node finds the row, and than a dispatch
# that was in flight takes to be recorded, or recovered (C-15, C-65).
FORGOTTEN_WITHIN = timedelta(minutes=2)


def first_due(person_id: str, now: datetime) -> tuple[Due, ...]:
    """Return the due rows of a new erasure."""
    return (
        Due(DueKind.ERASURE, person_id, END, now + LEFT_FOR),
        Due(DueKind.ERASURE, person_id, FORGET, now + FORGOTTEN_WITHIN),
    )
