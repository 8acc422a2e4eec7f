"""The header `Prefer`, read as RFC 7240 has it (C-93)."""

from __future__ import annotations

import time

import pytest

from watchword.entrypoints.wire.prefer_header import prefer_strict


@pytest.mark.parametrize(
    "lines",
    [
        ["handling=strict"],
        ["Handling = STRICT"],
        ['handling="strict"'],
        ['handling="st\\rict"'],
        ["handling=strict; tea=oolong"],
        ['handling=strict;tea="a, handling=lenient";;x'],
        ["respond-async, wait=100 , handling=strict"],
        ['tea="\\", handling=lenient, ", handling=strict'],
        [", ,handling=strict,"],
        ["wait=5", "handling=strict"],
        ["handling=strict", "handling=lenient"],
    ],
)
def test_strict_handling_is_preferred(lines: list[str]) -> None:
    """In any case, quoted or not, with parameters, among others, on several lines; the first counts."""
    assert prefer_strict(lines)


@pytest.mark.parametrize(
    "lines",
    [
        [""],
        ["handling"],
        ["handling="],
        ["handling=lenient"],
        ["handling=stricter"],
        ["handling=lenient, handling=strict"],
        ["tea; handling=strict"],
        ['tea="handling=strict"'],
        ['tea="open, handling=strict'],
        ["tea=@, handling=strict"],
    ],
)
def test_anything_else_does_not_prefer_it(lines: list[str]) -> None:
    """Another value, none, a later instance, a parameter, a quoted text, or what is malformed."""
    assert not prefer_strict(lines)


@pytest.mark.parametrize("piece", [" ", ", ", ";", "; ", "a=", 'a="', "a;", "\\", 'a="\\'])
def test_no_header_takes_long_to_read(piece: str) -> None:
    """The largest header that the listener accepts is read at once, whatever it repeats."""
    began = time.perf_counter()
    prefer_strict([piece * (32_768 // len(piece))])
    prefer_strict(["a" + piece * (32_768 // len(piece)) + "@"])

    assert time.perf_counter() - began < 0.5
