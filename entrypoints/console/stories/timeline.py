"""A story as a page shows it: its entries, a window of them, and what a step changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from attrs import frozen

from ....application.ports.event_store import Recorded
from ....application.stories.story import Story
from . import told
from .actors import actor_words
from .facts import Fact, facts_of_event
from .telling import Tone

M = TypeVar("M")

# A provider may repeat receipts without end, and a page has to end. So many take 10 ms to draw (D-550).
ENTRIES = 100


@frozen(kw_only=True)
class Entry:
    """
    One event of a timeline.

    `about` says whose event it is where the story has several streams. A bound token gets no `position`,
    because that counts the events of all accounts.
    """

    step: int
    at: datetime
    sentence: str
    tone: Tone
    who: str
    about: str
    kind: str
    position: int | None
    request_id: str
    facts: tuple[Fact, ...]


@frozen(kw_only=True)
class Timeline:
    """
    The entries around a chosen step, of so many at most.

    `earlier` and `later` are steps of the windows before and after this one, and None at the ends.
    """

    entries: tuple[Entry, ...]
    step: int
    last: int
    earlier: int | None
    later: int | None


async def replayed(moments: Callable[..., Sequence[M]], *steps: int) -> Sequence[M]:
    """Return the moments of steps; a story of 10,000 events would hold up the event loop (C-94)."""
    return await asyncio.to_thread(moments, *steps)


def timeline(
    story: Story,
    step: int,
    *,
    mask: bool,
    placed: bool,
    about: Mapping[str, str] | None = None,
) -> Timeline:
    """Return the window of a story that has a step; `about` names its streams, `placed` shows positions."""
    first = (step - 1) // ENTRIES * ENTRIES
    shown = story.events[first : first + ENTRIES]
    end = first + len(shown)
    return Timeline(
        entries=tuple(
            _entry(story, number, each, mask, placed, about or {})
            for number, each in enumerate(shown, first + 1)
        ),
        step=step,
        last=story.last,
        earlier=first if first > 0 else None,
        later=end + 1 if end < story.last else None,
    )


def _entry(
    story: Story, step: int, each: Recorded, mask: bool, placed: bool, about: Mapping[str, str]
) -> Entry:
    words = told(each.event)
    return Entry(
        step=step,
        at=each.event.at,
        sentence=words.sentence,
        tone=words.tone,
        who=actor_words(each.actor, story.names),
        about=about.get(each.stream, ""),
        kind=each.type,
        position=each.position if placed else None,
        request_id=each.request_id,
        facts=facts_of_event(each.event, mask=mask),
    )


def chosen_step(text: str, last: int) -> int:
    """Read a step of an address; a step that is invalid or beyond the end is the newest."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else last
    return number if 1 <= number <= last else last


@frozen
class Line:
    """A fact of a state, and whether the step changed it."""

    fact: Fact
    changed: bool


def lines(now: Sequence[Fact], before: Sequence[Fact]) -> tuple[Line, ...]:
    """Return the facts of a state; those that were not so before are changed, and all stay at first."""
    was = {(each.label, each.text) for each in before}
    return tuple(Line(each, bool(before) and (each.label, each.text) not in was) for each in now)
