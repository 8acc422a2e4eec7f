"""The events about a person, without what they say of others (C-74)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence

from ...domain.fallback_run import FallbackArmed
from ..journal import Journal
from ..ports.event_store import Recorded
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.read_model import Row
from .own_parts import own_parts
from .stored import key_of, lists_of_people, pages_of


async def events_of(journal: Journal, person_id: str) -> AsyncIterator[Recorded]:
    """
    Yield the events of all that the lists have of a person, and what belongs to it.

    That is: the contents that the messages of a call share, and the clicks on the links that this
    person alone got. What the events say of other people is `***`.
    """
    for rows in lists_of_people():
        # The body of a delivery repeats an event.
        if rows is CallbackDeliveryRow:
            continue
        async for page in pages_of(journal, rows, person_id):
            async for each in _of_page(journal, person_id, page):
                yield own_parts(each, person_id)


async def _of_page(
    journal: Journal, person_id: str, page: Sequence[Row]
) -> AsyncIterator[Recorded]:
    """Yield the events that belong to the rows of a page; each stream once."""
    read: set[str] = set()
    for row in page:
        async for each in _history(journal, person_id, key_of(row), read):
            yield each


async def _history(
    journal: Journal, person_id: str, stream: str, read: set[str]
) -> AsyncIterator[Recorded]:
    """Yield the events of a stream, and of the contents for this person that they name."""
    if stream in read:
        return
    read.add(stream)
    contents: dict[str, None] = {}
    for recorded in await journal.read_stream(stream):
        yield recorded
        contents |= dict.fromkeys(_contents(recorded, person_id))
    for each in [each for each in contents if each not in read]:
        read.add(each)
        for recorded in await journal.read_stream(each):
            yield recorded


def _contents(recorded: Recorded, person_id: str) -> Iterable[str]:
    event = recorded.event
    if isinstance(event, FallbackArmed):
        named = (step.content_id for step in event.steps if step.person_id == person_id)
    else:
        named = (each for each in (getattr(event, "content_id", None),))
    return (each for each in named if each is not None)
