"""Find out whether live codes still need a version of the code key (C-3)."""

from __future__ import annotations

from datetime import datetime

from ...domain.pin import PinStatus
from ..ports.event_store import EventStore
from ..ports.listings import AtLeast, Equals, Query
from ..records.pin import VerificationRow


async def live_code_needs(store: EventStore, version: int, now: datetime) -> bool:
    """Return whether a code that can still be verified was hashed with a version of the code key."""
    live = Query(
        rows=VerificationRow,
        where=(
            Equals("key_version", version),
            AtLeast("expires_at", now),
            Equals("status", str(PinStatus.PENDING)),
        ),
        order_by="expires_at",
        page_size=1,
    )
    return bool(await store.slice(live))
