"""Matching a text with registered DLT texts, compared with an exhaustive oracle (C-30, D-75)."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from watchword.domain.dlt.text import LONGEST_VALUE, VARIABLE, DltText, DltTexts

READY = "Your tea {#var#} is ready. - TEAHSE"

few = st.text("ab{#}", max_size=6)
# Long runs of one letter are where ways to fill the variables multiply.
segments = st.lists(st.one_of(few, st.integers(0, 40).map("a".__mul__)), min_size=1, max_size=4)
values = st.one_of(few, st.integers(0, LONGEST_VALUE + 3).map("a".__mul__))


def naively_matches(text: str, body: str) -> bool:
    """Try every way to fill every variable."""
    parts = text.split(VARIABLE)

    @cache
    def rest_fits(number: int, place: int) -> bool:
        if not body.startswith(parts[number], place):
            return False
        place += len(parts[number])
        if number == len(parts) - 1:
            return place == len(body)
        return any(
            rest_fits(number + 1, place + length)
            for length in range(min(LONGEST_VALUE, len(body) - place) + 1)
        )

    return rest_fits(0, 0)


@pytest.mark.parametrize(
    "body",
    [
        "Your tea Assam is ready. - TEAHSE",
        "Your tea  is ready. - TEAHSE",
        "Your tea \n₹ 20 {#var#} is ready. - TEAHSE",
        f"Your tea {'x' * 30} is ready. - TEAHSE",
        "Your tea is ready. is ready. - TEAHSE",
    ],
)
def test_a_variable_stands_for_up_to_thirty_characters(body: str) -> None:
    """No character and any characters included."""
    assert DltText(READY).matches(body)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Your tea Assam is ready. - teahse",
        "Your tea Assam is ready.  - TEAHSE",
        " Your tea Assam is ready. - TEAHSE",
        "Your tea Assam is ready. - TEAHSE.",
        "Your tea is ready. - TEAHSE",
        f"Your tea {'x' * 31} is ready. - TEAHSE",
        READY[:20],
    ],
)
def test_all_else_is_said_to_the_letter(body: str) -> None:
    """Case and white space count, and a longer value is none."""
    assert not DltText(READY).matches(body)


def test_variables_in_a_row_hold_more() -> None:
    """Sixty characters for two, so that the second may stay empty."""
    text = DltText("See {#var#}{#var#}")

    assert [True, True, True, False] == [text.matches(f"See {'x' * n}") for n in (0, 30, 60, 61)]


def test_a_text_without_variables_says_itself() -> None:
    """It matches itself alone; other marks are no variables."""
    assert DltText("Tea {#VAR#} is ready {var}.").matches("Tea {#VAR#} is ready {var}.")
    assert not DltText("Tea {#VAR#} is ready.").matches("Tea Assam is ready.")


@given(segments, st.data())
@example(["a" * 40, "a" * 40, "a" * 40], None)
def test_it_finds_what_trying_everything_finds(
    parts: list[str], data: st.DataObject | None
) -> None:
    """For filled-in texts, and for texts that come close."""
    body = parts[0]
    for part in parts[1:]:
        body += (data.draw(values) if data else "a" * 35) + part
    if data and data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(body)))
        body = body[:at] + data.draw(few) + body[at + data.draw(st.integers(0, 3)) :]
    text = VARIABLE.join(parts)

    assert naively_matches(text, body) == DltText(text).matches(body)


@given(st.lists(segments.map(VARIABLE.join), max_size=6), segments.map("a".join))
def test_many_texts_are_looked_through_as_one_by_one(texts: list[str], body: str) -> None:
    """All texts that match the body are found, and no other, whatever they begin with."""
    found = DltTexts((text, number) for number, text in enumerate(texts)).matching(body)

    assert [n for n, text in enumerate(texts) if DltText(text).matches(body)] == sorted(found)
