"""
Every stored event in words, for timelines.

A new kind of event needs a sentence here: a test walks the registry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....domain.event import Event
from .accounts import ACCOUNT_STORIES
from .fallback_runs import FALLBACK_STORIES
from .log import LOG_STORIES
from .messages import MESSAGE_STORIES
from .people import PEOPLE_STORIES
from .pins import PIN_STORIES
from .telling import Told, Tone
from .templates import TEMPLATE_STORIES

__all__ = ["STORIES", "Told", "Tone", "told"]

STORIES: Mapping[type[Event], Callable[[Event], Told]] = {
    **PIN_STORIES,
    **MESSAGE_STORIES,
    **FALLBACK_STORIES,
    **ACCOUNT_STORIES,
    **TEMPLATE_STORIES,
    **PEOPLE_STORIES,
    **LOG_STORIES,
}


def told(event: Event) -> Told:
    """Tell an event."""
    return STORIES[type(event)](event)
