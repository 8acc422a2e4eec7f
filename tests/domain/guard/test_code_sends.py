"""Which budgets a send of a code counts in (C-76, C-102)."""

from watchword.domain.channel import Channel
from watchword.domain.guard import (
    DEFAULT_POLICY,
    Budgeted,
    CodeSend,
    GuardPolicy,
    Mode,
    Rule,
    Sends,
    Unverified,
    budgets_of,
    guesses_budget,
    without_unverified,
)
from watchword.domain.rate_limit import Rate

SEND = CodeSend(
    account_id="acc_1", channels=(Channel.SMS,), country="IR", prefix="9891234", ip="1f2e"
)
OFF = Budgeted(mode=Mode.OFF)


def rules(policy: GuardPolicy, send: CodeSend) -> list[tuple[Rule, str]]:
    """Return the rule and the limit of each budget of a send."""
    return [(each.rule, each.rate.text) for each in budgets_of(policy, {"IR": 70}, send)]


def test_the_default_policy_counts_country_prefix_and_ip() -> None:
    """The limit of a country is the recorded one, or 50 a day without one."""
    assert rules(DEFAULT_POLICY, SEND) == [
        (Rule.COUNTRY, "70/1d"),
        (Rule.PREFIX, "20/1h"),
        (Rule.IP, "10/1h"),
    ]
    elsewhere = CodeSend(account_id="acc_1", channels=(Channel.SMS,), country="GB", prefix=None)
    assert rules(DEFAULT_POLICY, elsewhere) == [(Rule.COUNTRY, "50/1d")]


def test_a_destination_that_was_verified_lately_passes_the_unverified_rules_alone() -> None:
    """Limits of all sends hold for everyone."""
    policy = GuardPolicy(
        sends=Sends(
            account=Budgeted(mode=Mode.ENFORCE, limit=Rate("9/1h")),
            channels={Channel.SMS: Budgeted(mode=Mode.RECORD, limit=Rate("8/1h"))},
        )
    )
    both = CodeSend(
        account_id="acc_1",
        channels=(Channel.SMS, Channel.EMAIL),
        country="IR",
        prefix="9891234",
    )

    left = without_unverified(budgets_of(policy, {}, both))

    assert [(each.rule, each.rate.text) for each in left] == [
        (Rule.ACCOUNT, "9/1h"),
        (Rule.CHANNELS, "8/1h"),
    ]


def test_a_rule_that_is_off_counts_nothing() -> None:
    """With all rules off, a send has no budgets, and guesses have none."""
    off = GuardPolicy(guesses=OFF, unverified=Unverified(country=OFF, prefix=OFF, ip=OFF))

    assert rules(off, SEND) == []
    assert None is guesses_budget(off, "acc_1", "per_1", 5)


def test_guesses_have_room_for_every_attempt_of_one_pin_and_never_above_a_hundred() -> None:
    """A template with more attempts than the policy allows raises the limit, up to 100 (guard.md)."""
    limits = [
        budget.rate.text
        for attempts in (5, 60, 100)
        if (budget := guesses_budget(DEFAULT_POLICY, "acc_1", "per_1", attempts))
    ]

    assert limits == ["50/1d", "61/1d", "100/1d"]
