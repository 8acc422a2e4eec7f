"""The key that protects codes: its form, its file, its subkeys (C-3)."""

from __future__ import annotations

import base64
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from watchword.adapters.keyring import Keyring, KeyringError, Purpose

ONE = base64.b64encode(b"1" * 32).decode()
TWO = base64.b64encode(b"2" * 40).decode()


def test_a_key_is_a_version_and_32_bytes() -> None:
    """`<version>:<base64 of at least 32 bytes>`."""
    assert Keyring(1, {1: b"1" * 32}) == Keyring.parse(f"1:{ONE}\n")


def test_two_versions_are_separated_by_a_comma() -> None:
    """The first is for new codes."""
    assert Keyring(2, {2: b"2" * 40, 1: b"1" * 32}) == Keyring.parse(f" 2:{TWO}, 1:{ONE} ")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "form"),
        (ONE, "form"),
        (f"one:{ONE}", "form"),
        (f"-1:{ONE}", "form"),
        (f"1:{ONE},", "form"),
        ("1:tea time", "not base64"),
        ("1:" + base64.b64encode(b"1" * 31).decode(), "fewer than 32"),
        (f"1:{ONE},1:{TWO}", "version 1 twice"),
        (f"1:{ONE},2:{TWO},3:{ONE}", "more than 2"),
    ],
)
def test_anything_else_is_refused(text: str, says: str) -> None:
    """The message says what is wrong, and never shows the key (C-65)."""
    with pytest.raises(KeyringError, match=says) as refusal:
        Keyring.parse(text)

    assert ONE not in str(refusal.value)


def test_a_key_file_is_made_once(tmp_path: Path) -> None:
    """The first look makes it, readable by its owner alone; every later one reads it."""
    path = tmp_path / "var" / "code.key"
    made = Keyring.at(path)

    assert made == Keyring.at(path)
    assert 0o600 == path.stat().st_mode & 0o777
    assert [path] == list(path.parent.iterdir())


def test_two_starts_at_once_end_with_one_key(tmp_path: Path) -> None:
    """The first start creates the key; no start reads half a key."""
    with ThreadPoolExecutor(8) as starts:
        rings = list(starts.map(Keyring.at, [tmp_path / "code.key"] * 40))

    assert [rings[0]] * 40 == rings


def test_each_purpose_has_a_key_of_its_own() -> None:
    """A subkey opens nothing of another purpose, and does not reveal the key."""
    ring = Keyring.parse(f"2:{TWO},1:{ONE}")
    derived = [key for purpose in Purpose for key in ring.subkeys(purpose).values()]

    assert 2 * len(Purpose) == len(set(derived))
    assert {32} == {len(key) for key in derived}
    assert b"1" * 32 not in derived
    assert ring.subkeys(Purpose.CODE) == ring.subkeys(Purpose.CODE)


def test_no_key_shows_in_a_repr() -> None:
    """A ring that is logged by mistake shows only its newest version."""
    assert "Keyring(newest=1)" == repr(Keyring.parse(f"1:{ONE}"))
