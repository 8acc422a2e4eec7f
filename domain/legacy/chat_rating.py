"""A chat rating: what an end user thought of a chat on the legacy platform (SPEC 4 E3, C-43)."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from ..decider import Decider, Decision, begun
from ..event import Event, personal


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

    account_id: str
    chat_id: str
    phone: str = field(repr=False)
    rating: str
    created_at: datetime


def rate(rated: ChatRated) -> Decision:
    """Take a rating; a second one of the same chat stands beside the first."""
    return Decision((rated,))


def begin(event: ChatRated) -> ChatRating:
    """Return the state after the first event."""
    return begun(ChatRating, event)


chat_rating_decider: Decider[ChatRating] = Decider("chat_rating", begin, (ChatRated,))
