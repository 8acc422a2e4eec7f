"""The rules about a number itself: whether it can exist, and where it is (C-77)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..channel import Channel, ChannelName
from .policy import GuardPolicy
from .rules import Mode, Rule

DESTINATION_NOT_ALLOWED = "destination_not_allowed"
_NUMBERS_ON: frozenset[str] = frozenset((Channel.SMS, Channel.WHATSAPP))


class DestinationVerdict(NamedTuple):
    """The rule that refuses a number, if one does, and the rules that only flag it."""

    refused: Rule | None = None
    flags: tuple[Rule, ...] = ()


ALLOWED = DestinationVerdict()


def asks_about_numbers(policy: GuardPolicy) -> bool:
    """Return whether a rule about numbers themselves is on, so that their country and form matter."""
    return policy.numbers.mode is not Mode.OFF or policy.countries.mode is not Mode.OFF


def destination_refused(
    policy: GuardPolicy, channels: Iterable[ChannelName], country: str | None, possible: bool
) -> DestinationVerdict:
    """
    Return what the rules `numbers` and `countries` say of a number that is sent to on some channels.

    `country` and `possible` are what the number plan says of it. E-mail is not concerned, and
    `numbers` concerns SMS and WhatsApp alone.
    """
    broken = tuple(_broken(policy, frozenset(channels), country, possible))
    if not broken:
        return ALLOWED
    return DestinationVerdict(
        next((rule for rule, mode in broken if mode is Mode.ENFORCE), None),
        tuple(rule for rule, mode in broken if mode is Mode.RECORD),
    )


def _broken(
    policy: GuardPolicy, channels: frozenset[str], country: str | None, possible: bool
) -> Iterable[tuple[Rule, Mode]]:
    numbers, countries = policy.numbers.mode, policy.countries.mode
    if numbers is not Mode.OFF and not possible and not channels.isdisjoint(_NUMBERS_ON):
        yield Rule.NUMBERS, numbers
    if (
        countries is not Mode.OFF
        and channels - {Channel.EMAIL}
        and not policy.countries.allows(country)
    ):
        yield Rule.COUNTRIES, countries
