"""The subjects of counted decisions: of which country, number or caller a rule refused sends (C-78)."""

from __future__ import annotations

from typing import NamedTuple

from ..channel import ChannelName
from ..destination import masked

# The digits of a number that are not in its prefix.
OUTSIDE_PREFIX = 4
# The country of a number that has none.
NO_COUNTRY = "none"


class Subject(NamedTuple):
    """
    A subject of a rule in an account.

    `key` tells it from the other subjects of the rule: that of its budget, if it has one. `shown` is how
    lists, events and callbacks show it: it names no number, no address and no IP. `person_id` is the
    person whom it shows masked, if the store knows the person; nobody reads it after an erasure.
    `country` is the country of its numbers, if all are of one.
    """

    key: str
    shown: str
    country: str | None = None
    person_id: str | None = None


# What is counted together after too many subjects.
OTHER = Subject("other", "other")


def country_subject(country: str | None) -> Subject:
    """Return the subject of a country by its ISO code; the numbers without one are one subject."""
    name = country or NO_COUNTRY
    return Subject(name, name, country)


def prefix_subject(canonical: str, key: str, country: str | None) -> Subject:
    """Return the subject of a canonical number's prefix; `key` is the prefix's HMAC."""
    return Subject(key, "+" + prefix_of(canonical), country)


def prefix_of(canonical: str) -> str:
    """Return the digits of a canonical number less the last four."""
    return canonical[:-OUTSIDE_PREFIX]


def ip_subject(key: str) -> Subject:
    """Return the subject of a caller's IP, which is known by its HMAC alone."""
    return Subject(key, key)


def person_subject(
    canonical: str, person_id: str | None = None, country: str | None = None
) -> Subject:
    """
    Return the subject of one canonical destination, masked.

    A person whom the store does not know has no id, and is told from others by what is shown alone.
    """
    shown = masked(f"+{canonical}" if canonical.isdecimal() else canonical)
    return Subject(person_id or shown, shown, country, person_id)


def channel_subject(channel: ChannelName) -> Subject:
    """Return the subject of a channel."""
    return Subject(str(channel), str(channel))


def account_subject(account_id: str) -> Subject:
    """Return the subject of a whole account."""
    return Subject("", account_id)
