"""The character sets of codes (C-16)."""

import pytest

from watchword.domain.pin_template.pin_type import PinType


@pytest.mark.parametrize(
    ("pin_type", "alphabet"),
    [
        ("numeric", "0123456789"),
        ("alpha", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        ("hex", "0123456789ABCDEF"),
        ("alphanumeric", "23456789ABCDEFGHJKMNPQRSTUVWXYZ"),
    ],
)
def test_the_alphabets(pin_type: str, alphabet: str) -> None:
    """Capitals throughout; alphanumeric leaves out 0, O, 1, I and L, which people mix up."""
    assert alphabet == PinType(pin_type).alphabet
