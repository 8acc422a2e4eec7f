"""Which codes of providers histories may show (C-100)."""

from __future__ import annotations

import re

import pytest

from watchword.domain.provider_codes import code_about, code_without

NUMBER, ADDRESS = "+919812345610", "Asha.Rao@example.com"


@pytest.mark.parametrize(
    "code", ["twilio_21211", "131026", "ESME.RINVDSTADR-0x0b", "x" * 64, "12345"]
)
def test_a_plain_name_is_kept(code: str) -> None:
    """Names and numbers of the provider's own say what went wrong."""
    assert code == code_about(code, NUMBER)
    assert code == code_about(code, ADDRESS)


@pytest.mark.parametrize("code", ["", "x" * 65, "no credit", "a/b", "über", "a:b", "a\nb", "a@b"])
def test_anything_else_is_no_name(code: str) -> None:
    """A text is the provider's words, which stay in the message of the outcome."""
    assert "provider_rejected" == code_about(code, NUMBER)


@pytest.mark.parametrize(
    "code", ["barred_919812345610", "98-12-34-56-10", "x.12345610", "0009812345610"]
)
def test_a_code_with_the_number_is_no_name(code: str) -> None:
    """The last eight digits are enough to find a person among a few."""
    assert "provider_rejected" == code_about(code, NUMBER)
    assert code == code_about(code, "+447700900123")


@pytest.mark.parametrize("code", ["asha.rao", "unknown_asha-rao", "ASHA_RAO.full"])
def test_a_code_with_the_local_part_is_no_name(code: str) -> None:
    """Of an address it is the part before the @, whatever separates its words."""
    assert "provider_rejected" == code_about(code, ADDRESS)


def test_a_short_local_part_is_no_part_of_a_word() -> None:
    """The address us@… does not hide that a user is unknown."""
    assert "user_unknown" == code_about("user_unknown", "us@example.com")


def test_an_erased_destination_hides_no_code() -> None:
    """An audit decides a receipt again without the number, and gets the same code."""
    assert "twilio_21211" == code_about("twilio_21211", "(erased)")


@pytest.mark.parametrize("code", ["refused_X4711", "x4711", "X4711.full"])
def test_a_code_with_a_part_of_a_text_is_no_name(code: str) -> None:
    """A provider that quotes the text of a message quotes its code, in any case of its letters."""
    parts = re.compile("[A-Za-z0-9]{3,}")
    assert "provider_rejected" == code_without(code, ["Your code is x4711."], parts)
    assert "ERR-12" == code_without("ERR-12", ["Your code is x4711."], parts)
