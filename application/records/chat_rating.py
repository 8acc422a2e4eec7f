"""The record of a chat rating."""

from __future__ import annotations

from datetime import datetime

from ...domain.legacy.chat_rating import ChatRating, chat_rating_decider
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class ChatRatingRow(Row):
    """A rating, found by its person; everything that the person gave is in the event alone."""

    id: str
    account_id: str
    person_id: str
    created_at: datetime


def _row(stream: str, rating: ChatRating) -> ChatRatingRow:
    return ChatRatingRow(
        id=stream,
        account_id=rating.account_id,
        person_id=rating.person_id,
        created_at=rating.created_at,
    )


CHAT_RATING = Record(
    decider=chat_rating_decider,
    prefix="rtg",
    state=ChatRating,
    read_model=ReadModel(
        row=ChatRatingRow,
        name="chat_ratings",
        found_by=(FoundBy("chat_ratings_by_person", ("person_id", "created_at", "id")),),
    ),
    project=_row,
)
