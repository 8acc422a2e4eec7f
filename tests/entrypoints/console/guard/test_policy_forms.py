"""Forms about a guard policy say what the policy says, and change one rule alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import guard_policies
from watchword.domain.errors import ValidationFailedError
from watchword.domain.guard import DEFAULT_POLICY, GuardPolicy, Rule, policy_problems
from watchword.entrypoints.console.guard.policy_forms import (
    body_of,
    enforced,
    fields_of,
    filled,
    refused,
    with_rule,
    without_rule,
)
from watchword.entrypoints.console.guard.rule_cards import CARDS_BY_PATH, RULE_CARDS, RuleCard
from watchword.entrypoints.wire.guard_policies import guard_policy_record, read_guard_policy

valid = guard_policies.filter(lambda policy: not policy_problems(policy))


def record_of(policy: GuardPolicy) -> dict[str, Any]:
    """Return a policy as its route would answer it when the policy were the one that holds."""
    return guard_policy_record(read_guard_policy(guard_policy_record(policy)))


def test_every_rule_has_a_card() -> None:
    """A rule that the guard gains must be shown, and can be changed."""
    assert set(Rule) == {card.rule for card in RULE_CARDS if card.rule is not None}
    assert len({card.anchor for card in RULE_CARDS}) == len(RULE_CARDS)


def test_the_cards_have_the_defaults_of_the_guard() -> None:
    """A policy that nobody replaced shows each rule as its default."""
    record = guard_policy_record(DEFAULT_POLICY)

    assert all(card.is_default(record) for card in RULE_CARDS)
    assert {
        "numbers": "record only",
        "countries": "off",
        "guesses": "record only, 50/1d",
        "unverified.country": "record only, adaptive",
        "verifiedPass": "for 90d",
    }.items() <= {card.path: card.default for card in RULE_CARDS}.items()


@given(policy=valid)
def test_the_fields_of_a_policy_are_the_policy(policy: GuardPolicy) -> None:
    """Whatever rule the form does not show would be lost by sending it."""
    record = record_of(policy)

    again = guard_policy_record(read_guard_policy(body_of(fields_of(record))))

    told = {card.path: card.told(record) for card in RULE_CARDS}
    assert told == {card.path: card.told(again) for card in RULE_CARDS}


@given(policy=valid, card=st.sampled_from(RULE_CARDS), other=valid)
def test_a_form_changes_its_rule_alone(
    policy: GuardPolicy, card: RuleCard, other: GuardPolicy
) -> None:
    """The rule is as the form says, or as the default; every other one stays as it was."""
    record, wanted = record_of(policy), record_of(other)

    changed = guard_policy_record(
        read_guard_policy(with_rule(record, card, fields_of(wanted, [card])))
    )
    reset = guard_policy_record(read_guard_policy(without_rule(record, card)))

    for each in RULE_CARDS:
        assert each.told(wanted if each is card else record) == each.told(changed)
        assert (card.default if each is card else each.told(record)) == each.told(reset)


@pytest.mark.parametrize("card", RULE_CARDS, ids=lambda card: card.path)
def test_a_saved_default_stays_the_default(card: RuleCard) -> None:
    """Saving a form in which nothing was changed changes nothing, also of rules that are left out."""
    record = guard_policy_record(DEFAULT_POLICY)
    body = with_rule(record, card, fields_of(record, [card]))

    assert DEFAULT_POLICY == read_guard_policy(body)


def test_what_is_wrong_stands_beside_its_field() -> None:
    """A list of countries has one field, whichever of its entries is wrong."""
    fields = {
        **fields_of(guard_policy_record(DEFAULT_POLICY)),
        "countries.mode": "enforce",
        "countries.list": "allow",
        "countries.codes": "de, XX fr",
        "unverified.ip.limit": "many",
        "verifiedPass": "soon",
    }
    form = filled(fields)
    with pytest.raises(ValidationFailedError) as refusal:
        read_guard_policy(body_of(fields))
    wrong = refused(form, refusal.value)

    assert {"countries.codes", "unverified.ip.limit", "verifiedPass"} == {
        each.path for each in wrong.problems
    }
    assert "de, XX fr" == wrong.get("countries.codes")


def test_countries_without_a_list_are_one_problem() -> None:
    """A rule that is on and has no list is refused at the field for the list."""
    card = CARDS_BY_PATH["countries"]
    with pytest.raises(ValidationFailedError) as refusal:
        read_guard_policy(with_rule({}, card, {"countries.mode": "enforce"}))

    assert ["countries.codes"] == [
        each.path for each in refused(filled({}), refusal.value).problems
    ]


def test_a_policy_is_tried_with_all_its_rules_enforced() -> None:
    """Only what is on record changes: a rule that is off stays off."""
    before = fields_of(guard_policy_record(DEFAULT_POLICY))
    after = enforced(before)

    assert ("record", "enforce") == (before["guesses.mode"], after["guesses.mode"])
    assert "off" == after["countries.mode"]
    assert before["guesses.limit"] == after["guesses.limit"]
