"""A story as a page shows it: a window of entries, and what a step changed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from watchword.application.ports.event_store import Recorded
from watchword.application.stories.story import Story
from watchword.domain.pin import VerifyFailed
from watchword.entrypoints.console.stories.facts import facts_of
from watchword.entrypoints.console.stories.timeline import (
    ENTRIES,
    chosen_step,
    lines,
    timeline,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


def story(events: int) -> Story:
    """Return a story of so many wrong guesses."""
    return Story(tuple(map(guess, range(1, events + 1))), {"key_1": "shop"})


def guess(number: int) -> Recorded:
    """Return a wrong guess."""
    return Recorded(
        position=number * 10,
        event_id=f"evt_{number}",
        stream="pin_1",
        version=number,
        type="VerifyFailed",
        schema=1,
        actor="key_1",
        request_id="req_1",
        event=VerifyFailed(at=NOON, issue=1, attempts_remaining=number),
    )


def test_an_entry_says_who_did_what_when() -> None:
    """With its place in the log and its members."""
    (entry,) = timeline(story(1), 1, mask=False, placed=True, about={"pin_1": "This PIN"}).entries

    assert "A wrong code was entered; 1 attempt left." == entry.sentence
    assert ("API key shop", NOON, "This PIN") == (entry.who, entry.at, entry.about)
    assert (1, 10, "VerifyFailed") == (entry.step, entry.position, entry.kind)
    assert ["Issue", "Attempts remaining"] == [each.label for each in entry.facts]


@pytest.mark.parametrize(
    ("events", "step", "first", "last", "earlier", "later"),
    [
        (3, 2, 1, 3, None, None),
        (ENTRIES, ENTRIES, 1, ENTRIES, None, None),
        (ENTRIES + 1, 1, 1, ENTRIES, None, ENTRIES + 1),
        (ENTRIES + 1, ENTRIES + 1, ENTRIES + 1, ENTRIES + 1, ENTRIES, None),
        (3 * ENTRIES, ENTRIES + 7, ENTRIES + 1, 2 * ENTRIES, ENTRIES, 2 * ENTRIES + 1),
    ],
)
def test_a_long_story_is_shown_in_windows(
    events: int, step: int, first: int, last: int, earlier: int | None, later: int | None
) -> None:
    """The window has the chosen step, and says which steps lead to its neighbours."""
    shown = timeline(story(events), step, mask=False, placed=True)

    assert (first, last) == (shown.entries[0].step, shown.entries[-1].step)
    assert (earlier, later) == (shown.earlier, shown.later)


@pytest.mark.parametrize(
    ("text", "step"),
    [("2", 2), ("", 5), ("0", 5), ("6", 5), ("-1", 5), ("two", 5), ("\u0662", 5), ("9" * 50, 5)],
)
def test_the_step_of_an_address(text: str, step: int) -> None:
    """Whatever is no step shows the newest."""
    assert step == chosen_step(text, 5)


def test_what_a_step_changed() -> None:
    """A new member and a new value are marked; at the first step nothing is."""
    before = facts_of({"status": "PENDING", "attempts": 3})
    now = facts_of({"status": "PENDING", "attempts": 2, "receipt": "delivered"})

    assert [False, True, True] == [each.changed for each in lines(now, before)]
    assert [False, False, False] == [each.changed for each in lines(now, ())]
