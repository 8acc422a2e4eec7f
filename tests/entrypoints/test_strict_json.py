"""JSON texts: what may stand around a value, and what may not (C-9, D-23)."""

from __future__ import annotations

import json

import pytest

from watchword.entrypoints.strict_json import NotStrictJsonError, read_json


@pytest.mark.parametrize("text", ["{}", " \t\r\n{}", "{}\n", "\n[1]\r\n ", " 1 "])
def test_blanks_around_a_value_say_nothing(text: str) -> None:
    """The four blanks of JSON may stand before and after it."""
    assert json.loads(text) == read_json(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [("", 1), (" \n", 2), ("\n{}\n {}", 3), ("{}x", 1), ("\u00a0{}", 1), ("{}\f", 1), ("\n{,}", 2)],
)
def test_anything_else_around_it_is_refused(text: str, line: int) -> None:
    """The refusal names the line where reading ended."""
    with pytest.raises(NotStrictJsonError, match=rf"not valid JSON \(line {line}\)"):
        read_json(text)
