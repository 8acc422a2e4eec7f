"""The rules of a guard policy, and how strictly each holds (C-76, C-102)."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """How a rule holds: not at all, on the record alone, or by a refusal."""

    OFF = "off"
    RECORD = "record"
    ENFORCE = "enforce"


class Rule(StrEnum):
    """A rule by its name in `details.rule`, in the order in which a refusal names the first (C-102)."""

    NUMBERS = "numbers"
    COUNTRIES = "countries"
    GUESSES = "guesses"
    COUNTRY = "unverified.country"
    PREFIX = "unverified.prefix"
    IP = "unverified.ip"
    ACCOUNT = "sends.account"
    CHANNELS = "sends.channels"


# A verification gives back what these counted.
UNVERIFIED = frozenset((Rule.COUNTRY, Rule.PREFIX, Rule.IP))
