"""Counted decisions: one count a rule, subject and minute, of so many subjects at most (C-78, D-395)."""

from __future__ import annotations

from tests.fakes.clocks import StillClock
from watchword.adapters.randomness import SecretRandomness
from watchword.application.guard.counted_decisions import CountedDecisions
from watchword.domain.guard import (
    OTHER,
    Rule,
    Subject,
    Verdict,
    country_subject,
    person_subject,
    prefix_subject,
)
from watchword.domain.rate_limit import Rate

TEA = "acc_tea"
ACTS = Rate("20/1h")


def counting(clock: StillClock, most: int = 10_000) -> CountedDecisions:
    """Return counts of nothing yet."""
    return CountedDecisions(SecretRandomness(), clock, most)


def test_one_minute_has_one_count_a_rule_and_subject() -> None:
    """Decisions on two rules, two subjects and of two verdicts are four counts."""
    clock = StillClock()
    decisions = counting(clock)
    iran, india = country_subject("IR"), country_subject("IN")
    for _ in range(3):
        decisions.refused(TEA, Rule.COUNTRY, iran, ACTS)
        clock.move(10)
    decisions.refused(TEA, Rule.COUNTRY, india, ACTS)
    decisions.refused(TEA, Rule.COUNTRIES, iran)
    decisions.flagged(TEA, Rule.COUNTRY, iran, ACTS)
    clock.move(60)

    assert [
        (Verdict.REFUSED, Rule.COUNTRY, iran, 3),
        (Verdict.REFUSED, Rule.COUNTRY, india, 1),
        (Verdict.REFUSED, Rule.COUNTRIES, iran, 1),
        (Verdict.FLAGGED, Rule.COUNTRY, iran, 1),
    ] == [(each.verdict, each.rule, each.subject, each.count) for each in decisions.ended()]


def test_a_count_says_when_its_first_and_its_last_were() -> None:
    """They are the times of the service's clock, to the microsecond."""
    clock = StillClock()
    decisions = counting(clock)
    first = clock.now()
    decisions.refused(TEA, Rule.COUNTRY, country_subject("IR"))
    clock.move(59)
    decisions.refused(TEA, Rule.COUNTRY, country_subject("IR"))
    last = clock.now()
    clock.move(1)
    (counted,) = decisions.ended()

    assert (first, last) == (counted.since, counted.until)


def test_a_minute_has_ended_when_the_next_began() -> None:
    """Until then its count may grow; a stop takes it as it is."""
    clock = StillClock()
    decisions = counting(clock)
    decisions.refused(TEA, Rule.COUNTRY, country_subject("IR"))
    clock.move(59.9)
    assert () == decisions.ended()

    assert [1] == [each.count for each in decisions.ended(with_this_minute=True)]


def test_what_is_not_recorded_is_kept() -> None:
    """A record that failed is tried again with the same count, under the same id."""
    clock = StillClock()
    decisions = counting(clock)
    decisions.refused(TEA, Rule.COUNTRY, country_subject("IR"))
    clock.move(60)
    (first,) = decisions.ended()
    assert (first,) == decisions.ended()

    decisions.recorded((first,))

    assert () == decisions.ended()


def test_too_many_subjects_are_counted_together() -> None:
    """Beyond the limit each account and rule has one more subject, `other`; no decision is lost."""
    clock = StillClock()
    decisions = counting(clock, most=3)
    for number in range(10):
        decisions.refused(
            TEA, Rule.PREFIX, prefix_subject(f"98912345{number}0000", str(number), "IR")
        )
    decisions.refused("acc_coffee", Rule.PREFIX, prefix_subject("989123450000", "0", "IR"))
    clock.move(60)

    assert [
        (TEA, "+989123450", 1),
        (TEA, "+989123451", 1),
        (TEA, "+989123452", 1),
        (TEA, OTHER.shown, 7),
        ("acc_coffee", OTHER.shown, 1),
    ] == [(each.account_id, each.subject.shown, each.count) for each in decisions.ended()]


def test_memory_is_bounded_by_twice_the_limit() -> None:
    """Accounts beyond it are not counted, nor is anything while nothing can be recorded."""
    clock = StillClock()
    decisions = counting(clock, most=2)
    for number in range(20):
        decisions.refused(f"acc_{number}", Rule.COUNTRY, country_subject("IR"))
        clock.move(60)

    assert 4 == len(decisions.ended())


def test_a_subject_shows_no_number() -> None:
    """People are masked, and a prefix lacks the last four digits. An id tells a person from others."""
    assert Subject("per_1", "+9198******10", "IN", "per_1") == person_subject(
        "919812345610", "per_1", "IN"
    )
    assert "+9198******10" == person_subject("919812345610").key
    assert "a***@example.com" == person_subject("asha@example.com").shown
    assert "+98912345" == prefix_subject("989123456789", "f00", "IR").shown
