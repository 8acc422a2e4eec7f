"""The refusals of an append, and the error of a store that is out of reach."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .append import PersonRecord


class StoreRefusal(Exception):
    """The append was refused as a whole, and nothing was written."""


class StreamConflict(StoreRefusal):
    """A stream is at another version than expected: another append was faster."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"{stream} moved on; load it and decide again.")
        self.stream = stream


class RateReached(StoreRefusal):
    """A `WithinRate` is not met; a use is free again at `free_at`."""

    def __init__(self, subject: str, free_at: datetime) -> None:
        super().__init__("A rate ceiling is reached.")
        self.subject = subject
        self.free_at = free_at


class TotalReached(StoreRefusal):
    """A `WithinTotal` is not met."""

    def __init__(self, subject: str) -> None:
        super().__init__("A total is reached.")
        self.subject = subject


class BudgetsMoved(StoreRefusal):
    """
    A `WithinBudget` is not met; decide again with what the store says about all of the append's.

    `reached` maps the rules of reached budgets to the time from which one more send is within each;
    `free` are the rules of budgets that the append expected to be reached, and that are not.
    """

    def __init__(self, reached: Mapping[str, datetime], free: frozenset[str]) -> None:
        super().__init__("Budgets are not as expected.")
        self.reached = reached
        self.free = free


class PassMoved(StoreRefusal):
    """A `VerifiedAfter` is not met: the person last verified a code at `verified_at`, or never did."""

    def __init__(self, person_id: str, verified_at: datetime | None) -> None:
        super().__init__("A person's last verification is not as expected.")
        self.person_id = person_id
        self.verified_at = verified_at


class HeldByOthers(StoreRefusal):
    """A `SoleHolder` is not met; `holders` are the others that hold the subject now."""

    def __init__(self, subject: str, holders: frozenset[str]) -> None:
        super().__init__("Somebody else holds it.")
        self.subject = subject
        self.holders = holders


class PersonKnown(StoreRefusal):
    """A person of `new_people` is known already; `people` are the records that the store has."""

    def __init__(self, people: tuple[PersonRecord, ...]) -> None:
        super().__init__("The store knows this person already.")
        self.people = people


class PersonGone(StoreRefusal):
    """A person for whom the append seals something has been erased, or never was there."""

    def __init__(self, person_id: str) -> None:
        super().__init__(f"The store has no person {person_id}.")
        self.person_id = person_id


class Overtaken(StoreRefusal):
    """
    A `Checkpoint` is not met: another append has moved the number `name`.

    Or a `standing` due row of the stream `name` is not: another append has moved or removed it.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was moved on by somebody else.")
        self.name = name


class KeyAnswered(StoreRefusal):
    """The Idempotency-Key has a saved answer: return it again, byte for byte."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("This Idempotency-Key has its answer already.")
        self.answer = answer


class KeyInProgress(StoreRefusal):
    """Another request with the same Idempotency-Key is in progress, for `seconds_left` at most."""

    def __init__(self, seconds_left: float) -> None:
        super().__init__("This Idempotency-Key is in progress.")
        self.seconds_left = seconds_left


class KeyReused(StoreRefusal):
    """The Idempotency-Key was used with another body."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used with another body.")


class LeaseLost(StoreRefusal):
    """The reservation is no longer ours: save nothing and answer nothing (C-10)."""

    def __init__(self) -> None:
        super().__init__("The lease on this Idempotency-Key was lost.")


class StoreUnavailable(Exception):
    """
    The store is out of reach, is full, or did not answer in time; try again later.

    `reason` names the kind of failure for the log. The text must not be logged, because databases quote
    values.
    """

    def __init__(self, text: str, reason: str = "other") -> None:
        super().__init__(text)
        self.reason = reason
