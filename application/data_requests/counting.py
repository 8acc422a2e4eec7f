"""Count what is stored of a person, page by page."""

from __future__ import annotations

from collections import Counter

from ..journal import Journal
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.message import MessageRow
from ..records.pin import VerificationRow
from ..records.read_model import Row
from .certificate import Counts
from .stored import key_of, lists_of_people, pages_of


async def count(journal: Journal, person_id: str) -> Counts:
    """
    Count what is stored of a person.

    An erasure keeps rows and events, so the numbers before and after it are the same.
    """
    rows: Counter[type[Row]] = Counter()
    events = 0
    for kind in lists_of_people():
        async for page in pages_of(journal, kind, person_id):
            rows[kind] += len(page)
            if kind is not CallbackDeliveryRow:
                versions = await journal.versions([key_of(each) for each in page])
                events += sum(versions.values())
    return Counts(
        pins=rows[VerificationRow],
        messages=rows[MessageRow],
        events=events,
        rows=rows.total(),
        deliveries=rows[CallbackDeliveryRow],
    )
