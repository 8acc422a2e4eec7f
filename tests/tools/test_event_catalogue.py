"""The catalogue of stored events, which a command writes."""

from __future__ import annotations

from tools.event_catalogue import PAGE, catalogue


def test_the_catalogue_is_up_to_date() -> None:
    """docs/reference/events.md is what `make events` writes from the event classes (D-176)."""
    assert catalogue() == PAGE.read_text()


def test_marks_inside_values_are_named() -> None:
    """A content has personal parts, and a step also the sealed text of a code."""
    rows = catalogue().splitlines()
    (submitted,) = (row for row in rows if row.startswith("| `ContentSubmitted/"))
    (armed,) = (row for row in rows if row.startswith("| `FallbackArmed/"))

    assert "`content` *personal parts*" in submitted
    assert "`steps` *secret and personal parts*" in armed


def test_every_row_is_complete() -> None:
    """Each event has a sentence about its meaning."""
    rows = [line.split(" | ") for line in catalogue().splitlines() if line.startswith("| `")]

    assert rows
    assert [] == [name for name, sentence, _ in rows if not sentence.strip()]
