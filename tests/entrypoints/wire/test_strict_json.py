"""JSON texts: the characters that may be around a value (C-9, D-23)."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from watchword.domain.errors import ValidationFailedError
from watchword.entrypoints.wire.strict_json import NotStrictJsonError, parse_json, read_json

# The characters of objects of texts, and ambiguous ones.
PIECES = [b'"a":"b"', b'"a"', b'"b"', b":", b",", b"[", b"]", b"{", b"}", b'"', b"null", b"true"]
PIECES += [b" ", b"\n", b"1", b"\\u0000", b"\\ud800", b"\0", b"\xed\xa0\x80", b"\xff", "é".encode()]


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


@given(pieces=st.lists(st.sampled_from(PIECES), max_size=8))
@example(pieces=[b'"a":"b"', b",", b'"a":"b"'])
@example(pieces=[b'"a"', b" ", b":", b'"b"', b",", b'"a":"b"'])
@example(pieces=[b'"a":"b', b":", b'"'])
@example(pieces=[b'"a"', b":", b"[", b'"b"', b"]"])
@example(pieces=[b'"a":"', b"\0", b'"'])
@example(pieces=[b'"a":"', b"\\u0000", b'"'])
@example(pieces=[b'"a":"', b"\\ud800", b'"'])
@example(pieces=[b'"', b"\\u0000", b'":"b"'])
@example(pieces=[b'"a"', b":", b"1"])
def test_an_object_of_texts_is_read_like_all_others(pieces: list[bytes]) -> None:
    """The shorter way of reading gives the same result, or the same refusal."""
    body = b"{" + b"".join(pieces) + b"}"

    # Spelt out, as 1, 1.0 and True are equal.
    assert repr(the_long_way(body)) == repr(said_of(body))


def said_of(body: bytes) -> object:
    """Return what a body reads as, or why it is refused."""
    try:
        return parse_json(body)
    except ValidationFailedError as refusal:
        return refusal.problems[0].message


def the_long_way(body: bytes) -> object:
    """Return what it reads as a text, or why it is refused."""
    try:
        return read_json(body.decode())
    except UnicodeDecodeError:
        return "must be UTF-8"
    except NotStrictJsonError as refusal:
        return str(refusal)
