"""Signed heads: notes that the verifier opens, with the time by the clock's key."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from watchword.adapters.evidence.log_keys import LogKey
from watchword.adapters.evidence.note_signer import NoteSigner
from watchword.verify_evidence import Checkpoint, EvidenceError, open_checkpoint

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
NEW, OLD = LogKey.new("log.example"), LogKey.new("log.example")
HEAD = Checkpoint("log.example/1", 7, b"r" * 32)


def test_a_head_is_opened_with_either_key_of_a_rotation() -> None:
    """Both keys sign, so that whoever knows one of them opens the head."""
    signer = NoteSigner([NEW, OLD])
    note = signer.signed(HEAD.text, NOON, [each.log_key for each in signer.keys])

    for key in (NEW, OLD):
        assert HEAD == open_checkpoint(note, [key.verifier])
        timed = open_checkpoint(note, [key.verifier, key.clock_verifier])
        assert int(NOON.timestamp()) == timed.at


def test_a_key_that_may_not_sign_does_not() -> None:
    """Of two keys that are given, only the live ones sign."""
    signer = NoteSigner([NEW, OLD])
    note = signer.signed(HEAD.text, NOON, [NEW.verifier.vkey])

    with pytest.raises(EvidenceError, match="No key that is known"):
        open_checkpoint(note, [OLD.verifier])
    with pytest.raises(ValueError, match="none of the keys"):
        signer.signed(HEAD.text, NOON, [LogKey.new("log.example").verifier.vkey])
