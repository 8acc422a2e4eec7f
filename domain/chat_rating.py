"""A chat rating: what an end user thought of a chat on the legacy platform (SPEC 4 E3, C-43)."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from .decider import Decider, Decision, as_the_first, begun
from .event import Event, personal


@frozen(kw_only=True)
class ChatRated(Event):
    """An end user rated a chat; `rating` is the client's own word."""

    account_id: str
    chat_id: str
    phone: str = personal()
    rating: str


@frozen(kw_only=True)
class ChatRating:
    """A rating as it was given."""

    account_id: str = ""
    chat_id: str = ""
    phone: str = field(default="", repr=False)
    rating: str = ""
    created_at: datetime | None = None


def rate(rated: ChatRated) -> Decision:
    """Take a rating; a second one of the same chat stands beside the first."""
    return Decision((rated,))


def redecide(rating: ChatRating, event: ChatRated) -> Decision:
    """Decide again what an event says was decided (D-157)."""
    return as_the_first(rating, event, ChatRating())


chat_rating_decider: Decider[ChatRating] = Decider("chat_rating", ChatRating(), begun, (ChatRated,))
