"""Seals open for their own subject, with the stored key, and for nothing else (C-23)."""

from __future__ import annotations

import base64

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from watchword.adapters.keyring import Keyring
from watchword.adapters.sealing import AesGcmSealer
from watchword.application.ports.sealer import SealBrokenError, SealKey, SealKeyMissingError

ONE, TWO = (base64.b64encode(bytes([each]) * 32).decode() for each in (1, 2))
SEALER = AesGcmSealer(Keyring.parse(f"1:{ONE}"))
KEY = SEALER.new_key("run_tea")
PLAIN = b"Your code is 814296."
TEXT = SEALER.seal(KEY, "run_tea/1", PLAIN)


def refused(sealer: AesGcmSealer, key: SealKey, subject: str, text: str) -> None:
    """Expect a refusal that opens nothing and reveals nothing."""
    with pytest.raises(SealBrokenError) as broken:
        sealer.open(key, subject, text)

    assert broken.value.__cause__ is None


@given(st.text(), st.text(), st.binary())
def test_what_is_sealed_is_opened_again(name: str, subject: str, plain: bytes) -> None:
    """Any text for any subject is opened again."""
    key = SEALER.new_key(name)

    assert plain == SEALER.open(key, subject, SEALER.seal(key, subject, plain))


def test_one_key_seals_every_step_of_a_run() -> None:
    """Each text for its own step."""
    second = SEALER.seal(KEY, "run_tea/2", PLAIN)

    assert PLAIN == SEALER.open(KEY, "run_tea/2", second)
    refused(SEALER, KEY, "run_tea/1", second)


def test_another_subject_opens_nothing() -> None:
    """A text that was moved to another step or run stays shut."""
    for subject in ("run_tea/2", "run_pot/1", "run_tea/", ""):
        refused(SEALER, KEY, subject, TEXT)


def test_another_key_opens_nothing() -> None:
    """Another run's key, this key under another name, and half of it open nothing."""
    for key in (
        SEALER.new_key("run_tea"),
        evolve(KEY, name="run_pot"),
        evolve(KEY, wrapped=KEY.wrapped[:-1]),
        evolve(KEY, wrapped=b""),
    ):
        refused(SEALER, key, "run_tea/1", TEXT)


@given(st.integers(0, 8 * len(base64.b64decode(TEXT)) - 1))
def test_a_changed_text_opens_nothing(bit: int) -> None:
    """Not a single bit can be changed."""
    changed = bytearray(base64.b64decode(TEXT))
    changed[bit // 8] ^= 1 << bit % 8

    refused(SEALER, KEY, "run_tea/1", base64.b64encode(changed).decode())


@given(st.integers(0, 8 * len(KEY.wrapped) - 1))
def test_a_changed_key_opens_nothing(bit: int) -> None:
    """The key is as well protected as what it protects."""
    changed = bytearray(KEY.wrapped)
    changed[bit // 8] ^= 1 << bit % 8

    refused(SEALER, evolve(KEY, wrapped=bytes(changed)), "run_tea/1", TEXT)


@pytest.mark.parametrize(
    "text",
    ["", "tea", "dGVh", TEXT[:-4], TEXT + "AAAA", f" {TEXT}", "茶"],
    ids=["empty", "no base64", "too short", "cut off", "longer", "with a blank", "no ASCII"],
)
def test_what_is_no_seal_opens_nothing(text: str) -> None:
    """Half a text and none are refused alike."""
    refused(SEALER, KEY, "run_tea/1", text)


def test_the_code_key_is_needed() -> None:
    """With another key under its version a kept key opens nothing; without that, it is said."""
    refused(AesGcmSealer(Keyring.parse(f"1:{TWO}")), KEY, "run_tea/1", TEXT)
    with pytest.raises(SealKeyMissingError):
        AesGcmSealer(Keyring.parse(f"2:{TWO}")).open(KEY, "run_tea/1", TEXT)


def test_a_rotation_leaves_old_seals_open() -> None:
    """The newest version seals, and every one on the ring opens (C-3)."""
    rotated = AesGcmSealer(Keyring.parse(f"2:{TWO},1:{ONE}"))

    assert (1, 2) == (KEY.version, rotated.new_key("run_pot").version)
    assert PLAIN == rotated.open(KEY, "run_tea/1", TEXT)


def test_nothing_repeats() -> None:
    """The same text sealed twice reads differently, and so do two keys of one name."""
    assert SEALER.seal(KEY, "run_tea/1", PLAIN) != TEXT
    assert SEALER.new_key("run_tea").wrapped != KEY.wrapped


def test_no_repr_shows_a_key() -> None:
    """Not even the wrapped one."""
    assert "SealKey(name='run_tea', version=1)" == repr(KEY)
