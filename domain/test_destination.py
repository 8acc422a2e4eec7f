"""A test destination: an exact destination of an account that has a fixed code until a date (C-79)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import attrs
from attrs import field, frozen

from .conditions import VerifiedAfter
from .decider import Decider, Decision, begun
from .errors import DomainError, FieldProblem, UnknownIdError, ValidationFailedError
from .event import Event, personal
from .value import value

# The time for which a fixed code is set at most.
LONGEST_TEST = timedelta(days=90)
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


class TestDestinationNotFoundError(UnknownIdError):
    """No test destination has this id."""

    code = "test_destination_not_found"
    kind = "test destination"


class DestinationInUseError(DomainError):
    """Somebody verified a code that was sent to this destination; a fixed code would let others in (C-79)."""

    code = "destination_in_use"

    def __init__(self) -> None:
        super().__init__(
            "A code sent to this destination was verified, so somebody uses it. Take one that nobody uses."
        )


@frozen(kw_only=True)
class TestDestinationSet(Event):
    """
    A destination has a fixed code until a time, and no code is sent to it.

    A later one revises the destination. The code is in no event: it is sealed under the id (D-401).
    """

    account_id: str
    person_id: str
    destination: str = personal()
    until: datetime


@frozen(kw_only=True)
class TestDestinationRemoved(Event):
    """The destination is an ordinary one again, and its code is gone."""


TestDestinationEvent = TestDestinationSet | TestDestinationRemoved


@frozen(kw_only=True)
class TestDestination:
    """
    The state of a test destination; a removed one may be set again.

    `destination` is spelled as in the latest request that set it.
    """

    account_id: str
    person_id: str
    destination: str = field(repr=False)
    until: datetime
    created_at: datetime
    updated_at: datetime
    removed_at: datetime | None = None


@value(kw_only=True)
class SetTestDestination:
    """Set the destination of a person, or revise it."""

    at: datetime
    account_id: str
    person_id: str
    destination: str = field(repr=False)
    until: datetime


def put(command: SetTestDestination) -> Decision:
    """Set a test destination, or revise it: what it was before makes no difference."""
    problem = until_problem(command.until, command.at)
    if problem is not None:
        raise ValidationFailedError([FieldProblem("until", problem)])
    return Decision(
        (
            TestDestinationSet(
                at=command.at,
                account_id=command.account_id,
                person_id=command.person_id,
                destination=command.destination,
                until=command.until,
            ),
        )
    )


def never_verified(person_id: str) -> VerifiedAfter:
    """Return the condition that a person never verified a code that was sent, so that nobody is there."""
    return VerifiedAfter(person_id, _EVER, holds=False)


def until_problem(until: datetime, now: datetime) -> str | None:
    """Return why a fixed code cannot be set until a time; None if it can."""
    if until <= now:
        return "must be in the future"
    if until - now > LONGEST_TEST:
        return f"must be at most {LONGEST_TEST.days} days ahead"
    return None


def remove(test: TestDestination, at: datetime) -> Decision:
    """Make the destination an ordinary one; nothing happens when it is one already."""
    if test.removed_at is not None:
        return Decision()
    return Decision((TestDestinationRemoved(at=at),))


def begin(event: TestDestinationSet) -> TestDestination:
    """Return the state after the first event."""
    return begun(_new, event)


def _new(*, created_at: datetime, **facts: object) -> TestDestination:
    return TestDestination(created_at=created_at, updated_at=created_at, **facts)  # type: ignore[arg-type]  # as the event has them


def evolve(test: TestDestination, event: TestDestinationEvent) -> TestDestination:
    """Apply a later event."""
    if isinstance(event, TestDestinationRemoved):
        return attrs.evolve(test, removed_at=event.at, updated_at=event.at)
    again = test.removed_at is not None
    return attrs.evolve(
        begin(event), created_at=event.at if again else test.created_at, updated_at=event.at
    )


def redecide(test: TestDestination | None, event: TestDestinationEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if isinstance(event, TestDestinationRemoved):
        return Decision() if test is None else remove(test, event.at)
    if test is not None and (test.account_id, test.person_id) != (
        event.account_id,
        event.person_id,
    ):
        return Decision()
    return put(
        SetTestDestination(
            at=event.at,
            account_id=event.account_id,
            person_id=event.person_id,
            destination=event.destination,
            until=event.until,
        ),
    )


test_destination_decider: Decider[TestDestination] = Decider(
    "test_destination",
    begin,
    (TestDestinationSet,),
    evolve,
    (TestDestinationSet, TestDestinationRemoved),
)
