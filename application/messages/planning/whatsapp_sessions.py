"""Check whether a WhatsApp session is open, in which no template is needed (C-26)."""

from __future__ import annotations

from datetime import datetime

from ....domain.channel import Channel
from ....domain.message.whatsapp_session import session_start
from ...journal import Journal
from ...ports.listings import AtLeast, Equals, Present, Query
from ...records.message import MessageRow


class WhatsappSessions:
    """Finds the last message from a person, who belongs to one account."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def open_for(self, person_id: str, now: datetime) -> bool:
        """Return whether this person's last message to the account is at most 24 hours old."""
        query = Query(
            rows=MessageRow,
            where=(
                Equals("person_id", person_id),
                Equals("channel", str(Channel.WHATSAPP)),
                # Only inbound messages have this column.
                Present("own_canonical"),
                AtLeast("created_at", session_start(now)),
            ),
            page_size=1,
        )
        return bool(await self._journal.slice(query))
