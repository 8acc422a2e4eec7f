"""Fingerprints, under each live version of the code key (C-3, C-10)."""

from __future__ import annotations

from watchword.adapters.fingerprinting import HmacFingerprinter
from watchword.adapters.keyring import Keyring

ONE, TWO = b"1" * 32, b"2" * 32
OLD = Keyring(1, {1: ONE})
ROTATING = Keyring(2, {2: TWO, 1: ONE})


def test_fingerprints_tell_bodies_apart() -> None:
    """One per live version, the newest first, so that a rotation keeps replays."""
    old, rotating = HmacFingerprinter(OLD), HmacFingerprinter(ROTATING)
    first, second = rotating.fingerprints(b"body")

    assert first.startswith("2:")
    assert (second,) == old.fingerprints(b"body")
    assert old.fingerprints(b"body") != old.fingerprints(b"other body")
