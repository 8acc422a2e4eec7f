"""The record of a chat rating: its event alone. Ratings are read from the log."""

from __future__ import annotations

from ...domain.legacy.chat_rating import ChatRating, chat_rating_decider
from .record import Record

CHAT_RATING = Record(decider=chat_rating_decider, prefix="rtg", state=ChatRating)
