"""Find the subject of a rule that an operator names (C-78, C-102)."""

from __future__ import annotations

import re

from attrs import field, frozen

from ...domain.channel import PIN_CHANNELS
from ...domain.destination import MAX_LENGTH, NOT_A_NUMBER, canonical, digits_of
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.guard import (
    COUNTRIES,
    Rule,
    Subject,
    account_subject,
    channel_subject,
    country_subject,
    ip_subject,
    person_subject,
    prefix_subject,
)
from ...domain.guard.countries import NOT_A_COUNTRY
from ...domain.limits import Characters
from ..people.people import People
from ..ports.number_plan import NumberPlan
from .budget_keys import BudgetKeys

_PREFIX = re.compile(r"\+?[0-9]{1,15}")
_HMAC = re.compile("[0-9a-f]{32}")
_ONE = "is required as it is listed, or a destination instead of it; not both"


@frozen(kw_only=True)
class SubjectNamed:
    """A subject of a rule: as it is listed, or by one of its destinations."""

    rule: Rule
    subject: str | None = field(default=None, repr=False, validator=Characters(1, MAX_LENGTH))
    destination: str | None = field(default=None, repr=False, validator=Characters(1, MAX_LENGTH))


class NamingSubjects:
    """Finds subjects; raises `ValidationFailedError` for one that the rule cannot have."""

    def __init__(self, people: People, keys: BudgetKeys, plan: NumberPlan) -> None:
        self._people = people
        self._keys = keys
        self._plan = plan

    async def find(self, account_id: str, named: SubjectNamed) -> Subject | None:
        """Return the subject that is meant; None for a destination that the rule has counted nothing of."""
        if named.rule in (Rule.NUMBERS, Rule.COUNTRIES):
            raise _wrong("rule", "counts nothing: change the policy instead")
        if named.subject is not None and named.destination is None:
            return self._listed(account_id, named.rule, named.subject)
        if named.destination is not None and named.subject is None:
            return await self._of_destination(account_id, named.rule, named.destination)
        raise _wrong("subject", _ONE)

    def _listed(self, account_id: str, rule: Rule, subject: str) -> Subject:
        match rule:
            case Rule.COUNTRY if subject.upper() in COUNTRIES:
                return country_subject(subject.upper())
            case Rule.PREFIX if _PREFIX.fullmatch(subject):
                digits = digits_of(subject)
                return Subject(self._keys.listed_prefix(account_id, digits), f"+{digits}")
            case Rule.IP if _HMAC.fullmatch(subject):
                return ip_subject(subject)
            case Rule.ACCOUNT if subject == account_id:
                return account_subject(account_id)
            case Rule.CHANNELS if subject in PIN_CHANNELS:
                return channel_subject(subject)
        raise _wrong("subject", _FORMS[rule])

    async def _of_destination(self, account_id: str, rule: Rule, given: str) -> Subject | None:
        form = canonical(given)
        if rule is Rule.GUESSES:
            person_id = await self._people.find(account_id, form)
            return None if person_id is None else person_subject(form, person_id)
        if rule not in (Rule.COUNTRY, Rule.PREFIX):
            raise _wrong(
                "destination", "is no subject of this rule: give the subject as it is listed"
            )
        key = self._keys.prefix(account_id, form)
        if key is None:
            raise _wrong("destination", NOT_A_NUMBER)
        country = self._plan.country_of(form)
        if rule is Rule.PREFIX:
            return prefix_subject(form, key, country)
        return None if country is None else country_subject(country)


_FORMS = {
    Rule.GUESSES: "is masked: give the destination instead",
    Rule.COUNTRY: NOT_A_COUNTRY,
    Rule.PREFIX: "must be a prefix as it is listed, such as +98912345",
    Rule.IP: "must be the HMAC of an IP as it is listed, 32 of the characters 0-9 and a-f",
    Rule.ACCOUNT: "must be the id of the account, as it is listed",
    Rule.CHANNELS: f"must be one of {', '.join(PIN_CHANNELS)}",
}


def _wrong(name: str, message: str) -> ValidationFailedError:
    return ValidationFailedError([FieldProblem(name, message)])
