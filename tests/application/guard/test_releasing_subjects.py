"""Releases: a subject's count begins anew, and the log says who let it go (C-78, C-102, D-397)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.application.guard.conftest import Guarding
from tests.contracts.event_store.histories import step
from tests.vaults import new_vault
from watchword.application.guard.naming_subjects import SubjectNamed
from watchword.application.ports.event_store import BudgetsMoved, PersonRecord
from watchword.domain.conditions import WithinBudget
from watchword.domain.errors import ValidationFailedError
from watchword.domain.guard import Rule, SubjectReleased, budget_of
from watchword.domain.rate_limit import Rate

GARDEN, ANNA = "account-garden", "919812345610"
# The limits of the default policy.
DAY, HOUR, GUESSES = Rate("50/1d"), Rate("20/1h"), Rate("50/1d")


async def reach(guarding: Guarding, rule: Rule, key: str, rate: Rate) -> WithinBudget:
    """Count as many sends as a rule allows, and return the condition of one more."""
    budget = budget_of(rule, GARDEN, key, rate.window)
    more = WithinBudget(budget, rate, guarding.clock.now(), str(rule))
    for _ in range(rate.count):
        await guarding.store.append(step(conditions=(more,)))
    with pytest.raises(BudgetsMoved):
        await guarding.store.append(step(conditions=(more,)))
    return more


async def release(guarding: Guarding, rule: Rule, **named: str) -> bool:
    """Release a subject."""
    asked = SubjectNamed(rule=rule, **named)
    return (await guarding.releasing.release(guarding.by, asked)).released


async def person(guarding: Guarding, number: str) -> PersonRecord:
    """Add the person of a number to the store."""
    vault = new_vault()
    record = vault.new_person(GARDEN, vault.hmac(GARDEN, number))
    await guarding.store.append(step(new_people=(record,)))
    return record


async def test_a_released_subject_passes(guarding: Guarding) -> None:
    """Pass mark 6: the next send is within the budget, and counts as the first one."""
    one_more = await reach(guarding, Rule.COUNTRY, "IR", DAY)

    assert await release(guarding, Rule.COUNTRY, subject="IR")

    for _ in range(DAY.count):
        await guarding.store.append(step(conditions=(one_more,)))
    with pytest.raises(BudgetsMoved):
        await guarding.store.append(step(conditions=(one_more,)))


async def test_the_log_says_who_let_a_subject_go(guarding: Guarding) -> None:
    """The event is on the stream of the account's guard, under the name of the operator's token."""
    await release(guarding, Rule.COUNTRY, subject="ir")

    (recorded,) = await guarding.store.read_log(0, 10)
    assert isinstance(recorded.event, SubjectReleased)
    assert ("grd_account-garden", "tok_asha", "IR") == (
        recorded.stream,
        recorded.actor,
        recorded.event.subject,
    )


@pytest.mark.parametrize(
    "named", [{"subject": "+91981234"}, {"subject": "91981234"}, {"destination": "+91 98123 45610"}]
)
async def test_a_prefix_is_named_as_listed_or_by_a_number(
    guarding: Guarding, named: dict[str, str]
) -> None:
    """The list shows a number less its last four digits."""
    key = guarding.keys.prefix(GARDEN, ANNA)
    assert key is not None
    one_more = await reach(guarding, Rule.PREFIX, key, HOUR)

    assert await release(guarding, Rule.PREFIX, **named)

    await guarding.store.append(step(conditions=(one_more,)))


async def test_guesses_are_released_by_the_destination(guarding: Guarding) -> None:
    """The list masks it; the event masks it as well, and is sealed for the person."""
    anna = await person(guarding, ANNA)
    one_more = await reach(guarding, Rule.GUESSES, anna.person_id, GUESSES)

    assert await release(guarding, Rule.GUESSES, destination="+91 98123 45610")

    await guarding.store.append(step(conditions=(one_more,)))
    (recorded,) = await guarding.store.read_log(0, 10)
    assert (anna.person_id, "+9198******10") == (
        recorded.event.person_id,  # type: ignore[attr-defined]  # it is a SubjectReleased
        recorded.event.subject,  # type: ignore[attr-defined]  # it is a SubjectReleased
    )


async def test_a_country_is_found_by_a_number(guarding: Guarding) -> None:
    """As sends find it."""
    one_more = await reach(guarding, Rule.COUNTRY, "IN", DAY)

    assert await release(guarding, Rule.COUNTRY, destination=ANNA)

    await guarding.store.append(step(conditions=(one_more,)))


async def test_an_ip_is_named_by_its_hmac(guarding: Guarding) -> None:
    """The list shows nothing else of it."""
    key = guarding.keys.ip(GARDEN, "203.0.113.9")
    one_more = await reach(guarding, Rule.IP, key, Rate("10/1h"))

    assert await release(guarding, Rule.IP, subject=key)

    await guarding.store.append(step(conditions=(one_more,)))


async def test_nothing_is_released_where_nothing_counts(guarding: Guarding) -> None:
    """A rule that is off, or a destination that nobody ever sent to, has no count."""
    assert not await release(guarding, Rule.ACCOUNT, subject=GARDEN)
    assert not await release(guarding, Rule.CHANNELS, subject="sms")
    assert not await release(guarding, Rule.GUESSES, destination=ANNA)
    assert 0 == await guarding.store.newest()


@pytest.mark.parametrize("store", ["memory"], indirect=True)
@pytest.mark.parametrize(
    ("rule", "named", "field"),
    [
        (Rule.NUMBERS, {"destination": ANNA}, "rule"),
        (Rule.COUNTRIES, {"subject": "IR"}, "rule"),
        (Rule.COUNTRY, {}, "subject"),
        (Rule.COUNTRY, {"subject": "IR", "destination": ANNA}, "subject"),
        (Rule.COUNTRY, {"subject": "Iran"}, "subject"),
        (Rule.COUNTRY, {"destination": "asha@example.com"}, "destination"),
        (Rule.GUESSES, {"subject": "+9198******10"}, "subject"),
        (Rule.PREFIX, {"subject": "IR"}, "subject"),
        (Rule.IP, {"subject": "203.0.113.9"}, "subject"),
        (Rule.IP, {"destination": ANNA}, "destination"),
        (Rule.ACCOUNT, {"subject": "account-pond"}, "subject"),
        (Rule.CHANNELS, {"subject": "pigeon"}, "subject"),
    ],
)
async def test_a_subject_that_a_rule_cannot_have_is_refused(
    guarding: Guarding, rule: Rule, named: dict[str, Any], field: str
) -> None:
    """The refusal names the member that has to change."""
    with pytest.raises(ValidationFailedError) as refusal:
        await release(guarding, rule, **named)

    assert [field] == [each.field for each in refusal.value.problems]
