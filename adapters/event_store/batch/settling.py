"""
Decide which appends of a batch are accepted, and what they write; pure, and the same for all stores.

A store collects the `Questions` of a batch, reads the `Facts` inside its write transaction, and
settles the appends one after the other. Each append sees the writes of those before it. A refused
append changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

from attrs import define, field

from ....application.ports.event_store import (
    Append,
    HeldByOthers,
    Overtaken,
    PersonRecord,
    RateReached,
    StoreRefusal,
    StreamConflict,
    TotalReached,
)
from ....domain.conditions import (
    GiveBack,
    Hold,
    PersonLives,
    Release,
    SoleHolder,
    StartAnew,
    Unchanged,
    VerifiedAfter,
    Verifies,
    WithinBudget,
    WithinRate,
    WithinTotal,
)
from .budgets import TallyRows, Trial
from .facts import Facts, Uses, period_name
from .idempotency import KeyRecord, check_key, key_after
from .people import apply_people, apply_verified, check_lives, check_people, check_verified

# A trial applies those of budgets while it checks them; the others change nothing.
_APPLIED = (Unchanged, PersonLives, WithinBudget, VerifiedAfter, GiveBack, StartAnew)
_APPLIED_KINDS = frozenset(_APPLIED)


@define
class Writes:
    """The changes of accepted appends beside events, rows and due rows."""

    held: dict[tuple[str, str], bool] = field(factory=dict)
    keys: dict[str, KeyRecord] = field(factory=dict)
    positions: dict[str, int] = field(factory=dict)
    uses: dict[tuple[str, int], datetime] = field(factory=dict)
    # By HMAC; None for a person who is erased.
    people: dict[str, PersonRecord | None] = field(factory=dict)
    # The times of last verifications, of people who are not new, by HMAC.
    verified: dict[str, datetime] = field(factory=dict)
    tallies: TallyRows = field(factory=dict)


def settle(
    appends: Sequence[Append], facts: Facts, real_now: float
) -> tuple[list[StoreRefusal | None], Writes]:
    """Decide each append in turn; return a refusal or None for each, and the accepted ones' writes."""
    writes = Writes()
    trial = Trial(facts.tallies)
    verdicts: list[StoreRefusal | None] = []
    for append in appends:
        try:
            _check(append, facts, real_now, trial)
        except StoreRefusal as refusal:
            trial.undo()
            verdicts.append(refusal)
        else:
            trial.keep(writes.tallies)
            _apply(append, facts, real_now, writes)
            verdicts.append(None)
    return verdicts, writes


def _check(append: Append, facts: Facts, real_now: float, trial: Trial) -> None:
    check_key(append, facts.keys, real_now)
    for change in append.changes:
        if facts.versions.get(change.stream, 0) != change.expected_version:
            raise StreamConflict(change.stream)
    check_people(append, facts)
    counted: dict[str, list[datetime]] = {}
    for condition in append.conditions:
        if isinstance(condition, WithinRate):
            earlier = counted.setdefault(condition.subject, [])
            _check_rate(condition, facts, earlier)
            if condition.counted:
                earlier.append(condition.at)
        elif isinstance(condition, WithinBudget):
            trial.budget(condition, append.conditions)
        elif isinstance(condition, GiveBack):
            trial.give_back(condition)
        elif isinstance(condition, SoleHolder):
            # Most subjects have no holder, or only the condition's own.
            if holders := facts.holders.get(condition.subject):
                others = holders - {condition.holder}
                if others - condition.retiring:
                    raise HeldByOthers(condition.subject, frozenset(others))
        elif isinstance(condition, Unchanged):
            if facts.versions.get(condition.stream, 0) != condition.version:
                raise StreamConflict(condition.stream)
        elif isinstance(condition, PersonLives):
            check_lives(condition.person_id, append, facts)
        elif isinstance(condition, VerifiedAfter):
            check_verified(condition, facts)
        elif isinstance(condition, StartAnew):
            trial.start_anew(condition)
        elif isinstance(condition, WithinTotal):
            more, most = condition.amount or 0, condition.most
            if most is not None and more > 0 and _total(condition, facts) + more > most:
                raise TotalReached(condition.subject)
        elif not isinstance(condition, Hold | Release | Verifies):
            assert_never(condition)
    for checkpoint in append.checkpoints:
        if facts.positions.get(checkpoint.name, 0) != checkpoint.since:
            raise Overtaken(checkpoint.name)
    for due in append.standing:
        if facts.due.get(due.key) != due.at:
            raise Overtaken(due.stream)
    if append.repair is not None:
        for each in append.repair.tallies:
            trial.correct(each)


def _check_rate(condition: WithinRate, facts: Facts, earlier: Sequence[datetime]) -> None:
    # `earlier` holds the uses that this append has already counted.
    number = len(earlier) + 1 - condition.rate.count
    measured = None
    if number > 0:
        measured = earlier[number - 1]
    elif (uses := facts.uses.get(condition.subject)) is not None:
        measured = uses.times.get(uses.last + number)
    if measured is not None and condition.at - measured < condition.rate.window:
        raise RateReached(condition.subject, measured + condition.rate.window)


def _apply(append: Append, facts: Facts, real_now: float, writes: Writes) -> None:
    for change in append.changes:
        facts.versions[change.stream] = change.expected_version + len(change.events)
    verifying: list[Verifies] = []
    for condition in append.conditions:
        # Most conditions are of these kinds, and one look-up costs less than the instance checks.
        if type(condition) in _APPLIED_KINDS:
            continue
        if isinstance(condition, WithinRate):
            if condition.counted:
                _count(condition, facts, writes)
        elif isinstance(condition, SoleHolder):
            _hold_alone(condition, facts, writes)
        elif isinstance(condition, WithinTotal):
            _add(condition, facts, writes)
        elif isinstance(condition, Hold):
            facts.holders.setdefault(condition.subject, set()).add(condition.holder)
            writes.held[condition.subject, condition.holder] = True
        elif isinstance(condition, Release):
            facts.holders.get(condition.subject, set()).discard(condition.holder)
            writes.held[condition.subject, condition.holder] = False
        elif isinstance(condition, Verifies):
            verifying.append(condition)
        elif not isinstance(condition, _APPLIED):
            assert_never(condition)
    for checkpoint in append.checkpoints:
        facts.positions[checkpoint.name] = writes.positions[checkpoint.name] = checkpoint.to
    if append.repair is not None:
        for held in append.repair.stray_holders:
            facts.holders.get(held.subject, set()).discard(held.holder)
            writes.held[held.subject, held.holder] = False
    if facts.due:
        _move_due(append, facts)
    apply_people(append, facts, writes.people, writes.verified)
    for each in verifying:
        apply_verified(each, facts, writes.people, writes.verified)
    record = key_after(append, facts.keys, real_now)
    if record is not None:
        scope, kept = record
        facts.keys[scope] = writes.keys[scope] = kept


def _move_due(append: Append, facts: Facts) -> None:
    for each in append.due:
        facts.due[each.key] = each.at
    for each in append.done:
        facts.due[each.key] = None
    if append.repair is not None:
        facts.due.update(dict.fromkeys(append.repair.stray_due))


def _count(use: WithinRate, facts: Facts, writes: Writes) -> None:
    uses = facts.uses.get(use.subject)
    if uses is None:
        uses = facts.uses[use.subject] = Uses()
    uses.last = number = uses.last + 1
    uses.times[number] = writes.uses[use.subject, number] = use.at


def _total(condition: WithinTotal, facts: Facts) -> int:
    if condition.period > facts.positions.get(period_name(condition), 0):
        return 0
    return facts.positions.get(condition.subject, 0)


def _add(condition: WithinTotal, facts: Facts, writes: Writes) -> None:
    total = max(0, _total(condition, facts) + (condition.amount or 0))
    facts.positions[condition.subject] = writes.positions[condition.subject] = total
    name = period_name(condition)
    # A clock that was set back must not start an earlier period again.
    if condition.period > facts.positions.get(name, 0):
        facts.positions[name] = writes.positions[name] = condition.period


def _hold_alone(condition: SoleHolder, facts: Facts, writes: Writes) -> None:
    subject, holder = condition.subject, condition.holder
    holders = facts.holders.get(subject, ())
    if len(holders) == 1 and holder in holders:
        return
    for other in holders:
        writes.held[subject, other] = False
    facts.holders[subject] = {holder}
    writes.held[subject, holder] = True
