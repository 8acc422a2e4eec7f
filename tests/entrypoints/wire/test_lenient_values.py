"""Values in more than one spelling, and nothing that only looks like one (SPEC 2.6, C-20, C-60)."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import texts
from watchword.domain.errors import ValidationFailedError
from watchword.entrypoints.wire.lenient_values import Flag, JsonTexts, WholeNumber
from watchword.entrypoints.wire.strict_json import NotStrictJsonError, read_json
from watchword.entrypoints.wire.structuring import structure


@frozen(kw_only=True)
class Order:
    """A request with one of each."""

    cups: WholeNumber | None = None
    iced: Flag | None = None
    notes: JsonTexts | None = None


def taken(**values: Any) -> Order:
    """Read an order."""
    return structure(values, Order)


def refused(**values: Any) -> str:
    """Return what is said of the one wrong value."""
    with pytest.raises(ValidationFailedError) as refusal:
        structure(values, Order)
    (problem,) = refusal.value.problems
    assert [problem.field] == list(values)
    return problem.message


@given(st.integers(0, 999_999_999))
def test_a_whole_number_may_be_digits(number: int) -> None:
    """The number and its digits are one."""
    assert number == taken(cups=number).cups == taken(cups=str(number)).cups


@pytest.mark.parametrize(
    "value", ["", "-1", "+1", " 1", "1\n", "1.0", 1.0, "\u0661", "1" * 10, True]
)
def test_what_only_looks_like_a_whole_number(value: Any) -> None:
    """Signs, blanks, other scripts' digits and fractions are refused."""
    assert "must be an integer, or 1 to 9 digits as a text" == refused(cups=value)


@pytest.mark.parametrize(("value", "meant"), [(0, False), (1, True), (False, False), (True, True)])
def test_a_flag_may_be_a_number(value: Any, meant: bool) -> None:
    """0 and 1 are no and yes."""
    assert meant is taken(iced=value).iced


@pytest.mark.parametrize("value", [2, -1, 1.0, "1", "true", [], {}])
def test_what_is_no_flag(value: Any) -> None:
    """Nothing else is."""
    assert "must be 0 or 1, or false or true" == refused(iced=value)


@given(st.dictionaries(texts, texts))
def test_texts_may_come_as_json(notes: dict[str, str]) -> None:
    """The object and its JSON text are one."""
    assert notes == taken(notes=notes).notes == taken(notes=json.dumps(notes)).notes


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("{", "is not valid JSON (line 1)"),
        ('{"a": "b", "a": "c"}', "has the member 'a' twice"),
        ('{"a": "\\ud800"}', "has a text with \\u0000 or half a surrogate pair"),
        ("[" * 200 + "]" * 200, "is nested more than 100 levels deep"),
        ("[" * 40_000, "is nested more than 100 levels deep"),
        ("1" * 5_000, "has a whole number of more than 4,300 digits"),
        ("[]", "must be an object, or the JSON text of one"),
        ({"a": 5}, "must have texts only, unlike at 'a'"),
    ],
)
def test_what_is_no_object_of_texts(value: Any, said: str) -> None:
    """JSON in a text is read as strictly as a body is (C-9, D-23)."""
    assert said == refused(notes=value)


@given(st.text())
def test_any_text_is_json_or_refused(text: str) -> None:
    """There is no third way out."""
    with suppress(NotStrictJsonError):
        read_json(text)
