"""The guard of an account: its policy is replaced whole, and it knows the adaptive limits of countries."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from attrs import evolve

from tests.specs import given
from watchword.domain.channel import Channel
from watchword.domain.conditions import StartAnew
from watchword.domain.errors import ValidationFailedError
from watchword.domain.guard import (
    Budgeted,
    Countries,
    CountryBaselineSet,
    Guard,
    GuardPolicy,
    GuardPolicyRevised,
    Mode,
    Rule,
    Sends,
    SubjectReleased,
    Unverified,
    adaptive_limit,
    budget_of,
    release,
    revise,
    set_baseline,
    set_baselines,
)
from watchword.domain.rate_limit import Duration, Rate

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
STRICT = GuardPolicy(guesses=Budgeted(mode=Mode.ENFORCE, limit=Rate("20/1d")))
LOOSE = GuardPolicy(guesses=Budgeted(mode=Mode.OFF, limit=Rate("20/1d")))


def revised(policy: GuardPolicy) -> GuardPolicyRevised:
    """Return the event of a new policy."""
    return GuardPolicyRevised(at=NOON, account_id="acc_tea", policy=policy)


def baseline(country: str, limit: int) -> CountryBaselineSet:
    """Return the event of an adaptive limit."""
    return CountryBaselineSet(
        at=NOON,
        account_id="acc_tea",
        country=country,
        most_verified=5 * limit,
        limit=limit,
        day=date(2031, 5, 4),
    )


def released(rule: Rule, key: str) -> SubjectReleased:
    """Return the event of a subject that was let go."""
    return SubjectReleased(at=NOON, account_id="acc_tea", rule=rule, key=key, subject="it")


def test_a_policy_replaces_the_one_before_it() -> None:
    """The event has the whole policy, and the state has the latest one."""
    given(revised(STRICT)).when(revise, revised(LOOSE)).then(revised(LOOSE)).leaving(policy=LOOSE)


def test_a_policy_that_the_account_has_is_no_event() -> None:
    """To set the same policy again changes nothing; an account without events has the default one."""
    given(revised(STRICT)).when(revise, revised(STRICT)).nothing()

    assert () == revise(None, revised(GuardPolicy())).events


def test_a_policy_keeps_the_adaptive_limits() -> None:
    """What was learned of countries outlives a change of the policy."""
    (
        given(baseline("IN", 900))
        .when(revise, revised(STRICT))
        .then(revised(STRICT))
        .leaving(baselines={"IN": 900})
    )


@pytest.mark.parametrize(
    ("policy", "path"),
    [
        (GuardPolicy(countries=Countries(mode=Mode.RECORD)), "countries"),
        (
            GuardPolicy(
                countries=Countries(
                    mode=Mode.ENFORCE, allow=frozenset({"IN"}), refuse=frozenset({"AE"})
                )
            ),
            "countries",
        ),
        (
            GuardPolicy(countries=Countries(mode=Mode.ENFORCE, allow=frozenset({"IN", "in"}))),
            "countries.allow",
        ),
        (GuardPolicy(countries=Countries(refuse=frozenset({"ZZ"}))), "countries.refuse"),
        (GuardPolicy(guesses=Budgeted(mode=Mode.RECORD)), "guesses.limit"),
        (
            GuardPolicy(unverified=Unverified(prefix=Budgeted(mode=Mode.ENFORCE))),
            "unverified.prefix.limit",
        ),
        (GuardPolicy(unverified=Unverified(ip=Budgeted(mode=Mode.RECORD))), "unverified.ip.limit"),
        (GuardPolicy(sends=Sends(account=Budgeted(mode=Mode.RECORD))), "sends.account.limit"),
        (
            GuardPolicy(sends=Sends(channels={Channel.SMS: Budgeted(mode=Mode.ENFORCE)})),
            "sends.channels.sms.limit",
        ),
        (GuardPolicy(verified_pass=Duration("0s")), "verifiedPass"),
    ],
)
def test_a_policy_that_cannot_hold_is_refused_by_path(policy: GuardPolicy, path: str) -> None:
    """Unless a rule is off, it has what it needs: one list of known countries, or a limit (C-102)."""
    refusal = given(revised(STRICT)).when(revise, revised(policy)).refuses(ValidationFailedError)

    assert [path] == [each.path for each in refusal.problems]


def test_a_rule_that_is_off_needs_nothing() -> None:
    """The lists of countries and the limits of rules that are off may be left out."""
    policy = GuardPolicy(
        countries=Countries(),
        guesses=Budgeted(mode=Mode.OFF),
        sends=Sends(account=Budgeted(mode=Mode.OFF)),
    )

    given(revised(STRICT)).when(revise, revised(policy)).then(revised(policy))


def test_an_adaptive_limit_is_recorded_when_it_changes() -> None:
    """Neither the least limit of a new country nor the limit that holds is an event."""
    given(baseline("IN", 900)).when(set_baseline, baseline("IN", 900)).nothing()
    given(baseline("IN", 900)).when(set_baseline, baseline("AE", 50)).nothing()
    (
        given(baseline("IN", 900))
        .when(set_baseline, baseline("IN", 50))
        .then(baseline("IN", 50))
        .leaving(baselines={"IN": 50})
    )

    assert () == set_baseline(None, baseline("IN", 50)).events
    assert (baseline("IN", 51),) == set_baseline(None, baseline("IN", 51)).events


def test_the_limits_of_a_day_follow_from_the_best_days() -> None:
    """Only what changes is recorded; a country without a verified code falls back to the least limit."""
    guard = Guard(account_id="acc_tea", baselines={"AE": 60, "FR": 90, "IN": 900})
    best = {"IN": 4_500, "AE": 400, "GB": 300, "NP": 12}
    decision = set_baselines(guard, NOON, date(2031, 5, 4), best)

    assert (
        evolve(baseline("AE", 80), most_verified=400),
        evolve(baseline("FR", 50), most_verified=0),
        evolve(baseline("GB", 60), most_verified=300),
    ) == decision.events
    assert () == decision.conditions


def test_a_country_may_have_a_fifth_of_its_best_day() -> None:
    """The adaptive limit is a fifth of the most that was verified on a day, and at least 50."""
    assert [50, 50, 51, 240] == [adaptive_limit(most) for most in (0, 254, 255, 1204)]


@pytest.mark.parametrize(
    ("rule", "key", "rate"),
    [
        (Rule.GUESSES, "per_1", "50/1d"),
        (Rule.COUNTRY, "IN", "900/1d"),
        (Rule.COUNTRY, "AE", "50/1d"),
        (Rule.PREFIX, "hmac", "20/1h"),
        (Rule.IP, "hmac", "10/1h"),
        (Rule.CHANNELS, "sms", "600/1d"),
    ],
)
def test_a_subject_is_released_under_a_rule_that_counts(rule: Rule, key: str, rate: str) -> None:
    """A release is recorded, and the budget of the limit that holds counts from zero."""
    policy = GuardPolicy(
        sends=Sends(channels={Channel.SMS: Budgeted(mode=Mode.RECORD, limit=Rate("600/1d"))})
    )
    guard = Guard(account_id="acc_tea", policy=policy, baselines={"IN": 900})

    assert Rate(rate) == guard.rate_of(rule, key)
    budget = budget_of(rule, "acc_tea", key, Rate(rate).window)
    (
        given(revised(policy), baseline("IN", 900))
        .when(release, released(rule, key))
        .then(released(rule, key))
        .on_condition(StartAnew(budget))
    )


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        (Rule.NUMBERS, "+919812345610"),
        (Rule.COUNTRIES, "IN"),
        (Rule.ACCOUNT, ""),
        (Rule.CHANNELS, "email"),
    ],
)
def test_nothing_is_released_under_a_rule_that_does_not_count(rule: Rule, key: str) -> None:
    """The rules about numbers themselves have no budget, and a rule without a limit has none."""
    given(baseline("IN", 900)).when(release, released(rule, key)).nothing()


def test_a_released_subject_leaves_the_guard_as_it_was() -> None:
    """A release is between the log and the store's tallies; a new account can have one, too."""
    event = released(Rule.IP, "hmac")

    assert (event,) == release(None, event).events
    given(revised(STRICT)).when(release, event).then(event).leaving(policy=STRICT)
