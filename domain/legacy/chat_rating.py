"""A chat rating: an end user's rating of a chat on the legacy platform (SPEC 4 E3, C-43)."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from ..decider import Decider, Decision, begun
from ..event import Event, personal


@frozen(kw_only=True)
class ChatRated(Event):
    """An end user rated a chat; `chat_id` and `rating` are texts of the client's choice."""

    account_id: str
    person_id: str
    chat_id: str = personal()
    phone: str = personal()
    rating: str = personal()


@frozen(kw_only=True)
class ChatRating:
    """A rating as it was given."""

    account_id: str
    person_id: str
    chat_id: str = field(repr=False)
    phone: str = field(repr=False)
    rating: str = field(repr=False)
    created_at: datetime


def rate(rated: ChatRated) -> Decision:
    """Record a rating. A second rating of the same chat is kept beside the first."""
    return Decision((rated,))


def begin(event: ChatRated) -> ChatRating:
    """Return the state after the first event."""
    return begun(ChatRating, event)


chat_rating_decider: Decider[ChatRating] = Decider("chat_rating", begin, (ChatRated,))
