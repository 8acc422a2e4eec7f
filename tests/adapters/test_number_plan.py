"""The number plan says what libphonenumber says, without parsing usual numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import phonenumbers
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata, PhoneNumber

from watchword.adapters.number_plan import PhoneNumberPlan
from watchword.domain.destination import canonical
from watchword.domain.guard import COUNTRIES

CODES = sorted(map(str, COUNTRY_CODE_TO_REGION_CODE))
KINDS = (
    *("fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost"),
    *("personal_number", "voip", "pager", "uan", "voicemail"),
)
PLAN = PhoneNumberPlan()


def parsed(digits: str) -> Any:
    """Return a number as the library reads it; None if it has no calling code that is known."""
    try:
        return phonenumbers.parse("+" + digits)
    except phonenumbers.NumberParseException:
        return None


def with_zero(number: Any) -> Any:
    """Return a number with the zero before it that the canonical form leaves out."""
    national = phonenumbers.national_significant_number(number)
    return parsed(f"{number.country_code}0{national}") or number


def country_by_the_library(digits: str) -> str | None:
    """Return the region of a number, else of the number with a zero, else the main one of its code."""
    number = parsed(digits)
    if number is None:
        return None
    main = phonenumbers.region_code_for_country_code(number.country_code)
    region = (
        phonenumbers.region_code_for_number(number)
        or phonenumbers.region_code_for_number(with_zero(number))
        or main
    )
    return None if region == "001" else region


def possible_by_the_library(digits: str) -> bool:
    """Return whether a number is possible, or the main country has it with a zero before it."""
    number = parsed(digits)
    if number is None:
        return False
    if phonenumbers.is_possible_number(number):
        return True
    main = phonenumbers.region_code_for_country_code(number.country_code)
    metadata: Any = PhoneMetadata.metadata_for_region_or_calling_code(number.country_code, main)
    national = phonenumbers.national_significant_number(number)
    return re.fullmatch(metadata.general_desc.national_number_pattern, "0" + national) is not None


def examples() -> Iterator[PhoneNumber]:
    """Yield the metadata's own example of each kind of number in each region."""
    for code, regions in COUNTRY_CODE_TO_REGION_CODE.items():
        for region in regions:
            metadata = PhoneMetadata.metadata_for_region_or_calling_code(code, region)
            for kind in KINDS:
                description = getattr(metadata, kind)
                if description is not None and description.example_number:
                    number = parsed(f"{code}{description.example_number}")
                    assert number is not None
                    yield number


EXAMPLES = list(examples())


def test_every_region_has_examples() -> None:
    """The other tests look at all countries but two, whose examples are in a neighbour, too."""
    regions = {phonenumbers.region_code_for_number(each) for each in EXAMPLES} - {"001"}

    assert {"EH", "MF"} == phonenumbers.SUPPORTED_REGIONS - regions
    assert phonenumbers.SUPPORTED_REGIONS <= COUNTRIES


def test_the_examples_of_all_regions_have_their_country() -> None:
    """Each example is possible, and is in its region, also where the canonical form left a zero out."""
    other = {}
    for number in EXAMPLES:
        written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
        digits = canonical(written)
        if not digits.isdecimal():
            # Shorter than any destination may be.
            continue
        region = phonenumbers.region_code_for_number(number)
        assert PLAN.possible(digits), written
        if PLAN.country_of(digits) != (None if region == "001" else region):
            other[written] = PLAN.country_of(digits)

    assert {} == other


@example("911234567890")
@example("11415555267")
@example("74957551234")
@example("24206123456")
@given(
    st.one_of(
        st.builds(
            str.__add__, st.sampled_from(CODES), st.from_regex("[0-9]{4,12}", fullmatch=True)
        ),
        st.from_regex("[1-9][0-9]{6,14}", fullmatch=True),
    ).filter(lambda digits: len(digits) <= 15)
)
def test_a_number_is_judged_as_by_the_library(digits: str) -> None:
    """Generated numbers of all calling codes, and of none, are judged as the library judges them."""
    assert country_by_the_library(digits) == PLAN.country_of(digits)
    assert possible_by_the_library(digits) == PLAN.possible(digits)


@given(
    st.sampled_from(EXAMPLES),
    st.integers(0, 14),
    st.sampled_from("0123456789"),
    st.sampled_from(["replace", "insert", "remove"]),
)
def test_a_number_near_an_example_is_judged_as_by_the_library(
    number: PhoneNumber, at: int, digit: str, how: str
) -> None:
    """One wrong digit more or less leads to the library's verdict, on both sides of each border."""
    digits = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)[1:]
    at = min(at, len(digits) - 1)
    rest = digits[at:] if how == "insert" else digits[at + 1 :]
    near = digits[:at] + ("" if how == "remove" else digit) + rest

    assert country_by_the_library(near) == PLAN.country_of(near)
    assert possible_by_the_library(near) == PLAN.possible(near)


@pytest.mark.parametrize(
    ("number", "country", "possible"),
    [
        ("+919812345610", "IN", True),
        ("+1415555010", "US", False),
        ("+14155550100", "US", True),
        ("+16045550100", "CA", True),
        ("+18685550100", "TT", True),
        ("+447700900123", "GB", True),
        ("+77010001234", "KZ", True),
        ("+390669812345", "VA", True),
        ("+2250123456789", "CI", True),
        ("+242061234567", "CG", True),
        ("+870773111632", None, True),
        ("+9991234567", None, False),
        ("+12345550100", "US", True),
    ],
)
def test_numbers_have_a_country(number: str, country: str | None, possible: bool) -> None:
    """Shared calling codes are told apart; satellites have no country; mobiles may begin with zero."""
    assert (country, possible) == (
        PLAN.country_of(canonical(number)),
        PLAN.possible(canonical(number)),
    )


@pytest.mark.parametrize("text", ["", "asha@example.com", "tea-room", "٩١٩٨١٢٣٤٥٦١٠"])
def test_another_text_has_no_country(text: str) -> None:
    """What is no number is on no list of countries, and is no possible number."""
    assert PLAN.country_of(text) is None
    assert not PLAN.possible(text)
