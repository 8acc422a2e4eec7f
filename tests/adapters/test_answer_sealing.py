"""Saved answers are sealed under a secret of the client and the code key (C-10, D-330)."""

from __future__ import annotations

import pytest

from watchword.adapters.answer_sealing import HmacAnswerSealer
from watchword.adapters.keyring import KEY_BYTES, Keyring
from watchword.application.ports.sealer import SealBrokenError, SealKeyMissingError

OLD, NEW = b"o" * KEY_BYTES, b"n" * KEY_BYTES
ANSWER = b'{"status": 201}\n{"pinId": "pin_\xc3\xa9"}'
BEFORE = HmacAnswerSealer(Keyring(1, {1: OLD}))
DURING = HmacAnswerSealer(Keyring(2, {2: NEW, 1: OLD}))
AFTER = HmacAnswerSealer(Keyring(2, {2: NEW}))


def test_an_answer_opens_for_its_secret_and_name() -> None:
    """Byte for byte, and neither of them nor the answer is in the sealed text."""
    sealed = BEFORE.seal("key", "name", ANSWER)

    assert ANSWER == BEFORE.open("key", "name", sealed)
    assert sealed != BEFORE.seal("key", "name", ANSWER)
    assert sealed.isascii()
    assert "\n" not in sealed


def test_both_live_versions_open_their_answers() -> None:
    """A rotation within the 24 hours of an answer loses none."""
    assert ANSWER == DURING.open("key", "name", BEFORE.seal("key", "name", ANSWER))
    assert ANSWER == DURING.open("key", "name", DURING.seal("key", "name", ANSWER))
    assert ANSWER == AFTER.open("key", "name", DURING.seal("key", "name", ANSWER))


def test_without_its_version_an_answer_does_not_open() -> None:
    """The version is named."""
    with pytest.raises(SealKeyMissingError):
        AFTER.open("key", "name", BEFORE.seal("key", "name", ANSWER))


@pytest.mark.parametrize(("secret", "name"), [("key-2", "name"), ("key", "name-2"), ("", "name")])
def test_nothing_else_opens_an_answer(secret: str, name: str) -> None:
    """The code key alone opens nothing, and an answer cannot be moved to another key."""
    with pytest.raises(SealBrokenError):
        BEFORE.open(secret, name, BEFORE.seal("key", "name", ANSWER))


@pytest.mark.parametrize("text", ["", "1", "1:", "1:!", ":AAAA", "x:AAAA", "\u0661:AAAA", "1:AAAA"])
def test_what_is_no_sealed_answer_is_broken(text: str) -> None:
    """Whatever stands in the store, it is an error of the port's."""
    with pytest.raises(SealBrokenError):
        BEFORE.open("key", "name", text)
