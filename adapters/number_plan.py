"""The number plans of libphonenumber's metadata, read without parsing each number (D-386)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import phonenumbers
from attrs import frozen
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata

_REGIONS = {str(code): regions for code, regions in COUNTRY_CODE_TO_REGION_CODE.items()}
# Stands for calling codes of no country, such as those of satellites.
_NO_COUNTRY = "001"
_LONGEST_CODE = 3
_KINDS = (
    "premium_rate",
    "toll_free",
    "shared_cost",
    "voip",
    "personal_number",
    "pager",
    "uan",
    "voicemail",
    "fixed_line",
    "mobile",
)


@frozen
class _Plan:
    """
    What the metadata say of a calling code.

    `ahead` finds a prefix of domestic calls, which the library takes off even from international
    numbers. `valid` finds numbers of the main country. `places` tells the countries of a shared code
    apart, by the name of the group that matches.
    """

    country: str | None
    lengths: frozenset[int]
    ahead: re.Pattern[str] | None
    valid: re.Pattern[str]
    places: re.Pattern[str] | None


class PhoneNumberPlan:
    """Answers from one table for each calling code, which is made when a number first needs it."""

    def country_of(self, canonical: str) -> str | None:
        """
        Return the metadata's country, else the main country of the calling code.

        The canonical form leaves out zeros behind the calling code, but some countries have numbers
        that begin with one. So a number that no country of a shared code has is read with a zero, too.
        """
        plan, national = _read(canonical)
        if plan is None or plan.places is None:
            return None if plan is None else plan.country
        found = plan.places.match(national) or plan.places.match("0" + national)
        return plan.country if found is None else found.lastgroup

    def possible(self, canonical: str) -> bool:
        """Return whether the library calls the number possible, or one with a zero before it valid."""
        plan, national = _read(canonical)
        if plan is None:
            return False
        return len(national) in plan.lengths or plan.valid.fullmatch("0" + national) is not None


def _read(canonical: str) -> tuple[_Plan | None, str]:
    """Return the plan of a number, and its digits behind the calling code; no plan for another text."""
    if not (canonical.isascii() and canonical.isdecimal()):
        return None, ""
    for width in range(1, _LONGEST_CODE + 1):
        plan = _plan(canonical[:width])
        if plan is not None:
            national = canonical[width:]
            if plan.ahead is None:
                return plan, national
            found = plan.ahead.match(national)
            if found is None or not found.end():
                return plan, national
            # Rare enough for the library, whose rules for such prefixes are long.
            return plan, _parsed(canonical)
    return None, ""


def _parsed(canonical: str) -> str:
    number = phonenumbers.parse("+" + canonical)
    return phonenumbers.national_significant_number(number)


@lru_cache(maxsize=2048)
def _plan(code: str) -> _Plan | None:
    """Return the plan of a calling code; None if digits are none. There are 1,110 to ask about."""
    regions = _REGIONS.get(code)
    if regions is None:
        return None
    main = _metadata(code, regions[0])
    general, ahead = main.general_desc, main.national_prefix_for_parsing
    return _Plan(
        None if regions[0] == _NO_COUNTRY else regions[0],
        frozenset((*general.possible_length, *general.possible_length_local_only)),
        re.compile(ahead) if ahead else None,
        re.compile(general.national_number_pattern),
        re.compile("|".join(_places(code, regions))) if len(regions) > 1 else None,
    )


def _metadata(code: str, region: str) -> Any:
    return PhoneMetadata.metadata_for_region_or_calling_code(int(code), region)


def _places(code: str, regions: Iterable[str]) -> Iterator[str]:
    """Yield what the national numbers of each country begin with, or are, in the library's order."""
    for region in regions:
        metadata = _metadata(code, region)
        if metadata.leading_digits is not None:
            yield f"(?P<{region}>{metadata.leading_digits})"
            continue
        kinds = (getattr(metadata, kind) for kind in _KINDS)
        known = [_described(each) for each in kinds if each is not None and _has_numbers(each)]
        general = _described(metadata.general_desc)
        yield f"(?P<{region}>(?={general})(?:{'|'.join(known)}))"


def _has_numbers(description: Any) -> bool:
    return bool(description.national_number_pattern)


def _described(description: Any) -> str:
    """Return the form of a kind of number: its lengths and its pattern."""
    lengths = "|".join(f"[0-9]{{{each}}}" for each in description.possible_length if each > 0)
    ahead = rf"(?=(?:{lengths})\Z)" if lengths else ""
    return rf"{ahead}(?:{description.national_number_pattern})\Z"
