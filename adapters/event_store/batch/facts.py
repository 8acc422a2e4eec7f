"""The facts that settling a batch needs: which to read, and what the store returned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import assert_never

from attrs import define, field

from ....application.ports.event_store import Append, PersonRecord
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
from ....domain.guard import bucket_at, oldest_bucket
from .budgets import Tallies
from .idempotency import KeyRecord

_OF_PASSES = (VerifiedAfter, Verifies)
# Before every bucket.
_FROM_THE_FIRST = -(1 << 63)


@define
class Uses:
    """Uses of one subject: the number of the newest, and the times that a rate may be measured by."""

    last: int = 0
    times: dict[int, datetime] = field(factory=dict)


@define
class Questions:
    """
    The facts to read for a batch.

    `holders` lists the subjects of `SoleHolder` conditions. `uses` maps subject and ceiling to `n`, the
    number of the subject's uses in the batch under all ceilings. Each asks for the times of the
    uses that the next `n` uses are measured against: numbers last + 1 - count to last + n - count.
    `people` are the HMACs of the new ones, `living` the ids of those who must be there, `verified` of
    those whose last verification matters. `tallies` maps a budget to the oldest bucket to read. `due`
    are the keys of due rows that must stand.
    """

    streams: set[str] = field(factory=set)
    holders: set[str] = field(factory=set)
    keys: set[str] = field(factory=set)
    positions: set[str] = field(factory=set)
    uses: dict[tuple[str, int], int] = field(factory=dict)
    people: set[str] = field(factory=set)
    living: set[str] = field(factory=set)
    verified: set[str] = field(factory=set)
    tallies: dict[str, int] = field(factory=dict)
    due: set[tuple[str, str, int]] = field(factory=set)

    def count_in(self, subject: str, bucket: int) -> None:
        """Ask for the buckets of a budget from one on."""
        asked = self.tallies.get(subject)
        if asked is None or bucket < asked:
            self.tallies[subject] = bucket

    def beyond(self, asked: Questions) -> Questions:
        """Return the facts that `asked` lacks; if a subject now has more uses, all of its uses."""
        return Questions(
            self.streams - asked.streams,
            self.holders - asked.holders,
            self.keys - asked.keys,
            self.positions - asked.positions,
            {use: hits for use, hits in self.uses.items() if asked.uses.get(use) != hits},
            self.people - asked.people,
            self.living - asked.living,
            self.verified - asked.verified,
            {
                subject: oldest
                for subject, oldest in self.tallies.items()
                if oldest < asked.tallies.get(subject, oldest + 1)
            },
            self.due - asked.due,
        )


@define
class Facts:
    """
    The facts read inside the transaction; settling updates them.

    `people` maps an HMAC to the person's record, `living` a person's id to the HMAC, and `verified` to
    the time of the last verification that is known. `due` has the time of each due row that was asked
    for, and None if it is not there.
    """

    versions: dict[str, int] = field(factory=dict)
    holders: dict[str, set[str]] = field(factory=dict)
    keys: dict[str, KeyRecord] = field(factory=dict)
    positions: dict[str, int] = field(factory=dict)
    uses: dict[str, Uses] = field(factory=dict)
    people: dict[str, PersonRecord] = field(factory=dict)
    living: dict[str, str] = field(factory=dict)
    verified: dict[str, datetime] = field(factory=dict)
    tallies: dict[str, Tallies] = field(factory=dict)
    due: dict[tuple[str, str, int], datetime | None] = field(factory=dict)

    def add(self, more: Facts) -> None:
        """Add the facts that were read for `Questions.beyond` under the same lock."""
        self.versions |= more.versions
        self.holders |= more.holders
        self.keys |= more.keys
        self.positions |= more.positions
        self.uses |= more.uses
        self.people |= more.people
        self.living |= more.living
        self.verified |= more.verified
        self.tallies |= more.tallies
        self.due |= more.due


def questions(appends: Iterable[Append]) -> Questions:
    """Collect the facts that settling these appends needs."""
    asked = Questions()
    hits: Counter[str] = Counter()
    for append in appends:
        for change in append.changes:
            asked.streams.add(change.stream)
        for checkpoint in append.checkpoints:
            asked.positions.add(checkpoint.name)
        for due in append.standing:
            asked.due.add(due.key)
        asked.people.update(person.hmac for person in append.new_people)
        asked.living.update(append.erasing)
        for reservation in (append.taking, append.completing, append.renewing):
            if reservation is not None:
                asked.keys.add(reservation.scope)
        if append.repair is not None:
            for each in append.repair.tallies:
                asked.count_in(each.subject, each.bucket)
        for condition in append.conditions:
            if isinstance(condition, WithinRate):
                hits[condition.subject] += 1
                asked.uses[condition.subject, condition.rate.count] = 0
            elif isinstance(condition, WithinBudget):
                oldest = oldest_bucket(condition.at, condition.rate.window)
                asked.count_in(condition.subject, oldest)
            elif isinstance(condition, GiveBack):
                asked.count_in(condition.subject, bucket_at(condition.sent_at, condition.window))
            elif isinstance(condition, SoleHolder):
                asked.holders.add(condition.subject)
            elif isinstance(condition, WithinTotal):
                asked.positions.add(condition.subject)
                if condition.period:
                    asked.positions.add(period_name(condition))
            elif isinstance(condition, Unchanged):
                asked.streams.add(condition.stream)
            elif isinstance(condition, PersonLives):
                asked.living.add(condition.person_id)
            elif isinstance(condition, _OF_PASSES):
                asked.verified.add(condition.person_id)
            elif isinstance(condition, StartAnew):
                asked.tallies[condition.subject] = _FROM_THE_FIRST
            elif not isinstance(condition, Hold | Release):
                assert_never(condition)
    asked.uses = {(subject, count): hits[subject] for subject, count in asked.uses}
    return asked


def period_name(condition: WithinTotal) -> str:
    """Return the name of the number that holds a total's period."""
    return f"{condition.subject}@"
