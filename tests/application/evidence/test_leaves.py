"""The leaf of a stored event."""

from __future__ import annotations

import base64
from hashlib import sha256

import pytest

from watchword.application.evidence.leaves import (
    blanked,
    check_positions,
    event_leaf,
    is_blanked,
    sealed_digest,
)
from watchword.application.ports.sealed_log import LogDamaged, RawEvent

SEALED = b"c2VhbGVk"


def event(state: bytes, position: int = 7) -> RawEvent:
    """Return an event with these lines."""
    return RawEvent(position, "pin_rose", 3, "PinVerified/1", state)


def base64_sha256(line: bytes) -> str:
    """Return the digest of a line, as C-105 has it."""
    return base64.b64encode(sha256(line).digest()).decode()


def test_a_leaf_has_the_place_and_the_digest_of_each_line() -> None:
    """It is the text of the contract, hashed as RFC 6962 hashes a leaf; an empty line has a dash."""
    text = (
        "watchword.event/1\n7 pin_rose 3 PinVerified/1\n"
        f"{base64_sha256(b'open')} {base64_sha256(SEALED)} -\n"
    )

    assert sha256(b"\0" + text.encode()).digest() == event_leaf(event(b"open\n" + SEALED + b"\n"))


def test_a_leaf_depends_on_the_position() -> None:
    """The same event at another position is another leaf."""
    there = event(b"open\n\n", position=8)

    assert event_leaf(there) != event_leaf(event(b"open\n\n"))
    assert event_leaf(there, 7) == event_leaf(event(b"open\n\n"))


def test_a_blanked_line_has_the_same_leaf() -> None:
    """Retention takes the sealed line away and leaves its digest, so proofs stay valid."""
    line = blanked(SEALED)

    assert b"~" + base64_sha256(SEALED).encode() == line == blanked(line)
    assert is_blanked(line)
    assert not is_blanked(SEALED)
    assert base64_sha256(SEALED) == sealed_digest(line) == sealed_digest(SEALED)
    assert event_leaf(event(b"open\n" + SEALED + b"\nsecret")) == event_leaf(
        event(b"open\n" + line + b"\nsecret")
    )


def test_a_line_that_was_empty_stays_empty() -> None:
    """There is nothing to take away."""
    assert blanked(b"") == b""


@pytest.mark.parametrize(
    "state",
    [b"", b"open", b"open\nsealed", b"open\nsealed\nsecret\n", b"open\n~\n", b"open\n~c2Vh\n"],
)
def test_what_is_no_event_has_no_leaf(state: bytes) -> None:
    """Nobody can say which bytes belong to which digest, or which digest a blanked line had."""
    with pytest.raises(LogDamaged) as damaged:
        event_leaf(event(state))

    assert 7 == damaged.value.position


def test_positions_have_no_gap() -> None:
    """The first empty position is named."""
    check_positions(6, [event(b"\n\n", 7), event(b"\n\n", 8)])

    with pytest.raises(LogDamaged) as damaged:
        check_positions(6, [event(b"\n\n", 7), event(b"\n\n", 9)])

    assert 8 == damaged.value.position
