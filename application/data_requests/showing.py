"""Show everything stored of a person, for an access request (C-74)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

from attrs import frozen

from ...domain.legacy.chat_rating import chat_rating_decider
from ...domain.person import PersonNotFoundError
from ..callbacks.views import DeliveryView
from ..journal import Journal
from ..legacy.views import ChatRatingView
from ..messages.looking_up.searching_messages import SearchingMessages
from ..messages.looking_up.views import ReportedMessage
from ..messages.opt_lists.views import ConsentView
from ..people.people import People
from ..pins.views import VerificationView
from ..ports.clock import Clock
from ..ports.event_store import Recorded
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.chat_rating import ChatRatingRow
from ..records.consent import ConsentRow
from ..records.message import MessageRow
from ..records.pin import VerificationRow
from ..records.read_model import Row
from ..records.test_destination import TestDestinationRow
from ..test_destinations.views import TestDestinationView
from .erasing import find
from .histories import events_of
from .stored import pages_of

R = TypeVar("R", bound=Row)


class ShowingPeople:
    """Finds the records of people; reads them a page at a time."""

    def __init__(
        self, journal: Journal, people: People, messages: SearchingMessages, clock: Clock
    ) -> None:
        self._journal = journal
        self._people = people
        self._messages = messages
        self._clock = clock

    async def show(self, account_id: str, destination: str) -> StoredPerson:
        """
        Return what is stored of the person of a destination.

        Raises `PersonNotFoundError` and `ValidationFailedError`.
        """
        person_id = await find(self._people, account_id, destination)
        if person_id is None:
            raise PersonNotFoundError
        return StoredPerson(person_id, self._journal, self._messages, self._clock)


@frozen
class StoredPerson:
    """The records of a person, the oldest first; each method reads them anew, a page at a time."""

    person_id: str
    _journal: Journal
    _messages: SearchingMessages
    _clock: Clock

    async def pins(self) -> AsyncIterator[VerificationView]:
        """Yield the PINs."""
        async for page in self._pages(VerificationRow):
            for each in page:
                yield VerificationView.of(each, self._clock.now())

    async def messages(self) -> AsyncIterator[ReportedMessage]:
        """Yield the messages, sent and received; their contents are in the events."""
        async for page in self._pages(MessageRow):
            for each in await self._messages.reported(page):
                yield each

    async def consents(self) -> AsyncIterator[ConsentView]:
        """Yield the entries on opt lists."""
        async for page in self._pages(ConsentRow):
            for each in page:
                yield ConsentView.of(each)

    async def test_destinations(self) -> AsyncIterator[TestDestinationView]:
        """Yield the test destination, also a removed one; its code is masked."""
        async for page in self._pages(TestDestinationRow):
            for each in page:
                yield TestDestinationView.of(each)

    async def ratings(self) -> AsyncIterator[ChatRatingView]:
        """Yield the ratings of chats."""
        async for page in self._pages(ChatRatingRow):
            for each in page:
                rating = await self._journal.load(chat_rating_decider, each.id)
                yield ChatRatingView.of(each.id, rating.state)

    async def deliveries(self) -> AsyncIterator[DeliveryView]:
        """Yield the deliveries of callbacks; their bodies repeat events."""
        async for page in self._pages(CallbackDeliveryRow):
            for each in page:
                yield DeliveryView.of(each)

    def events(self) -> AsyncIterator[Recorded]:
        """Yield the events about the person; what they say of others is `***`."""
        return events_of(self._journal, self.person_id)

    def _pages(self, rows: type[R]) -> AsyncIterator[Sequence[R]]:
        return pages_of(self._journal, rows, self.person_id)
