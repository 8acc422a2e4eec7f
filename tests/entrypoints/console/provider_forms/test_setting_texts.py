"""Texts of fields that stand for numbers."""

from __future__ import annotations

import pytest

from watchword.entrypoints.console.provider_forms.setting_texts import number_of


@pytest.mark.parametrize(
    ("text", "number"), [("-5", -5), ("0.5", 0.5), ("5e2", 500.0), ("9" * 4000, int("9" * 4000))]
)
def test_a_number_is_read_as_json_spells_it(text: str, number: float) -> None:
    """Whole numbers stay whole."""
    assert (number, type(number)) == (number_of(text), type(number_of(text)))


@pytest.mark.parametrize("text", ["", "1_000", "nan", "inf", "٣", "0x10", "+5", ".5", "9" * 5000])
def test_what_else_python_would_read_stays_a_text(text: str) -> None:
    """So a rule names what was typed, instead of taking another number."""
    assert text == number_of(text)
