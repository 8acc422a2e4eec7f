"""The rules about a number itself: whether it can exist, and where it is."""

from __future__ import annotations

import pytest

from watchword.domain.channel import Channel
from watchword.domain.guard import (
    Countries,
    DestinationVerdict,
    GuardPolicy,
    Mode,
    Moded,
    Rule,
    asks_about_numbers,
    destination_refused,
)


def policy(numbers: Mode, countries: Mode, **lists: frozenset[str]) -> GuardPolicy:
    """Return a policy of the two rules."""
    return GuardPolicy(numbers=Moded(mode=numbers), countries=Countries(mode=countries, **lists))


@pytest.mark.parametrize(
    ("mode", "verdict"),
    [
        (Mode.OFF, DestinationVerdict()),
        (Mode.RECORD, DestinationVerdict(flags=(Rule.NUMBERS,))),
        (Mode.ENFORCE, DestinationVerdict(refused=Rule.NUMBERS)),
    ],
)
@pytest.mark.parametrize("channel", [Channel.SMS, Channel.WHATSAPP])
def test_an_impossible_number_is_judged_by_the_mode(
    channel: Channel, mode: Mode, verdict: DestinationVerdict
) -> None:
    """A number that cannot exist is refused, flagged or let through; a possible one is let through."""
    by = policy(mode, Mode.OFF)

    assert verdict == destination_refused(by, (channel,), "IN", False)
    assert DestinationVerdict() == destination_refused(by, (channel,), "IN", True)


def test_the_form_of_a_number_concerns_sms_and_whatsapp() -> None:
    """A send on several channels is concerned when one of them is (guard.md section 1)."""
    by = policy(Mode.ENFORCE, Mode.OFF)

    assert destination_refused(by, (Channel.EMAIL, Channel.SMS), "IN", False).refused
    assert not destination_refused(by, (Channel.EMAIL,), None, False).refused
    assert not destination_refused(by, (Channel.RCS,), None, False).refused


@pytest.mark.parametrize(
    ("lists", "country", "refused"),
    [
        ({"allow": frozenset({"IN", "AE"})}, "IN", False),
        ({"allow": frozenset({"IN", "AE"})}, "GB", True),
        ({"allow": frozenset({"IN", "AE"})}, None, True),
        ({"refuse": frozenset({"GB"})}, "IN", False),
        ({"refuse": frozenset({"GB"})}, "GB", True),
        ({"refuse": frozenset({"GB"})}, None, False),
    ],
)
def test_a_country_is_judged_by_the_list(
    lists: dict[str, frozenset[str]], country: str | None, refused: bool
) -> None:
    """A number without a country is on no list: no list allows it, and no list refuses it (C-102)."""
    for channel in (Channel.SMS, Channel.WHATSAPP, Channel.RCS):
        enforced = policy(Mode.OFF, Mode.ENFORCE, **lists)
        recorded = policy(Mode.OFF, Mode.RECORD, **lists)
        verdict = destination_refused(enforced, (channel,), country, True)

        assert (Rule.COUNTRIES if refused else None) is verdict.refused
        assert refused == bool(destination_refused(recorded, (channel,), country, True).flags)


def test_email_has_no_country() -> None:
    """A list of countries lets mail through; a rule that is off lets everything through."""
    by = policy(Mode.OFF, Mode.ENFORCE, allow=frozenset({"IN"}))

    assert DestinationVerdict() == destination_refused(by, (Channel.EMAIL,), None, False)
    assert not destination_refused(
        policy(Mode.OFF, Mode.OFF, allow=frozenset({"IN"})), (Channel.SMS,), "GB", True
    ).refused


def test_the_first_rule_in_order_refuses_and_the_others_flag() -> None:
    """Two broken rules are told apart: the first enforced one refuses, each recorded one is a flag."""
    lists = {"allow": frozenset({"IN"})}
    both = policy(Mode.ENFORCE, Mode.ENFORCE, **lists)
    one = policy(Mode.RECORD, Mode.ENFORCE, **lists)

    assert DestinationVerdict(Rule.NUMBERS) == destination_refused(
        both, (Channel.SMS,), "GB", False
    )
    assert DestinationVerdict(Rule.COUNTRIES, (Rule.NUMBERS,)) == destination_refused(
        one, (Channel.SMS,), "GB", False
    )


def test_a_policy_says_whether_numbers_matter() -> None:
    """With both rules off, nobody needs to look a number up."""
    assert asks_about_numbers(GuardPolicy())
    assert asks_about_numbers(policy(Mode.OFF, Mode.RECORD))
    assert not asks_about_numbers(policy(Mode.OFF, Mode.OFF))
