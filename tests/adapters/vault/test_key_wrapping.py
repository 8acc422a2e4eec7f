"""The code key wraps each owner's key with the subkey of its purpose (C-3, C-100)."""

from __future__ import annotations

import pytest
from attrs import evolve
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from watchword.adapters.keyring import Keyring, Purpose
from watchword.adapters.vault import KeyWrapping
from watchword.application.ports.sealer import SealBrokenError, SealKeyMissingError

RING = Keyring(1, {1: b"1" * 32})
BOTH = Keyring(2, {2: b"2" * 32, 1: b"1" * 32})
SECRET = b"s" * 32


@pytest.mark.parametrize(
    ("name", "purpose"),
    [
        ("per_tea", Purpose.PERSON),
        ("acc_tea", Purpose.ACCOUNT),
        ("rcp_tea", Purpose.SEAL),
        ("index", Purpose.INDEX),
        ("run_tea", Purpose.SEAL),
        ("cha_tea", Purpose.SEAL),
    ],
)
def test_the_name_of_a_key_says_its_purpose(name: str, purpose: Purpose) -> None:
    """The subkey of this purpose opens it, and no other does."""
    wrapped = KeyWrapping(RING).wrap(name, SECRET).wrapped
    for each in Purpose:
        cipher = AESGCM(RING.subkeys(each)[1])
        if each is purpose:
            assert SECRET == cipher.decrypt(wrapped[:12], wrapped[12:], name.encode())
        else:
            with pytest.raises(InvalidTag):
                cipher.decrypt(wrapped[:12], wrapped[12:], name.encode())


def test_a_key_opens_under_its_own_name_alone() -> None:
    """A key that was moved to another person of the same store does not open."""
    wrapping = KeyWrapping(RING)
    key = wrapping.wrap("per_tea", SECRET)

    assert SECRET == wrapping.unwrap(key)
    for wrong in (
        evolve(key, name="per_pot"),
        evolve(key, name="acc_tea"),
        evolve(key, wrapped=key.wrapped[:-1]),
        evolve(key, wrapped=b""),
    ):
        with pytest.raises(SealBrokenError):
            wrapping.unwrap(wrong)


def test_a_key_wrapped_anew_has_the_same_secret() -> None:
    """A rotation replaces the wrapping; what the key sealed stays readable."""
    key = KeyWrapping(RING).wrap("per_tea", SECRET)
    again = KeyWrapping(BOTH).rewrapped(key)

    assert ("per_tea", 2, SECRET) == (again.name, again.version, KeyWrapping(BOTH).unwrap(again))
    with pytest.raises(SealKeyMissingError):
        KeyWrapping(RING).unwrap(again)
    assert [True, True, False] == [KeyWrapping(BOTH).opens(each) for each in (1, 2, 3)]
