"""Record end users' ratings of chats (SPEC 4 E3)."""

from __future__ import annotations

from ...domain.legacy import chat_rating
from ...domain.legacy.chat_rating import ChatRated, chat_rating_decider
from ..caller import Caller
from ..journal import Journal, beginning, retry_on_conflict
from ..people.people import People
from ..ports.clock import Clock
from ..ports.randomness import Randomness
from ..records.chat_rating import CHAT_RATING


class RatingChats:
    """Records ratings; they are read from the log."""

    def __init__(
        self, journal: Journal, people: People, randomness: Randomness, clock: Clock
    ) -> None:
        self._journal = journal
        self._people = people
        self._randomness = randomness
        self._clock = clock

    async def rate(self, by: Caller, *, chat_id: str, phone: str, rating: str) -> None:
        """Record a rating of a chat of the caller's account."""

        async def attempt() -> None:
            now = self._clock.now()
            person = await self._people.recall_find_or_create(by.account_id, phone)
            rated = ChatRated(
                at=now,
                account_id=by.account_id,
                person_id=person.person_id,
                chat_id=chat_id,
                phone=phone,
                rating=rating,
            )
            made = beginning(
                chat_rating_decider,
                self._randomness.new_id(CHAT_RATING.prefix),
                chat_rating.rate(rated),
            )
            await self._journal.write(by, now, made, bounded=True, new_people=person.new_people)

        await retry_on_conflict(attempt)
