"""The events of an account's guard: its policy, what it learned of countries, and whom it let go."""

from __future__ import annotations

from datetime import date, datetime

from attrs import frozen

from ..event import Event, personal
from .policy import GuardPolicy
from .rules import Rule


@frozen(kw_only=True)
class GuardPolicyRevised(Event):
    """The guard policy of an account was replaced; the event contains all of it (C-76)."""

    account_id: str
    policy: GuardPolicy


@frozen(kw_only=True)
class CountryBaselineSet(Event):
    """
    The adaptive limit of a country changed: `limit` unverified codes a day, from `day` on.

    `most_verified` is the most codes that were verified on a day of the 14 before `day`.
    """

    account_id: str
    country: str
    most_verified: int
    limit: int
    day: date


@frozen(kw_only=True)
class SubjectReleased(Event):
    """
    A budget of the rule counts from zero again, because an operator released its subject (C-78).

    `key` names the subject in the budget: a country, a channel, an account, a person, or an HMAC.
    `subject` is as listed, so a person is masked; it then belongs to the person `person_id`.
    """

    account_id: str
    rule: Rule
    key: str
    subject: str = personal()
    person_id: str | None = None


@frozen(kw_only=True)
class TestDestinationNoted(Event):
    """
    The person's destination is a test destination until a time; with None, it is none any more.

    It stands here beside the events of the test destination `test_id`, so that creates know of it (D-402).
    """

    account_id: str
    person_id: str
    test_id: str
    until: datetime | None


GuardEvent = GuardPolicyRevised | CountryBaselineSet | SubjectReleased | TestDestinationNoted
