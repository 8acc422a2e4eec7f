"""
A guard policy from the fields of a form, and back.

A field has the path of a member of the policy as its name, so that a problem, which names its path,
stands beside its field. Only the two fields of a list of countries are the form's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ....domain.errors import FieldProblem, ValidationFailedError
from ..forms import Form
from .rule_cards import PASSING, RULE_CARDS, RuleCard

LISTS = {"allow": "send to these alone", "refuse": "never send to these"}
# What is wrong with either list, or with both, is wrong with the one field for it.
_COUNTRIES = ("countries", "countries.allow", "countries.refuse")
_CODES = re.compile(r"[\s,;]+")


def fields_of(policy: Mapping[str, Any], cards: Iterable[RuleCard] = RULE_CARDS) -> dict[str, str]:
    """Return the fields that show a policy, as answers have it."""
    fields: dict[str, str] = {}
    for card in cards:
        members = card.of(policy)
        if card.path == PASSING:
            fields[PASSING] = members or ""
            continue
        fields[f"{card.path}.mode"] = members.get("mode", "off")
        if card.limited:
            fields[f"{card.path}.limit"] = members.get("limit", "")
        if card.listed:
            which = "refuse" if "refuse" in members else "allow"
            fields[f"{card.path}.list"] = which
            fields[f"{card.path}.codes"] = " ".join(members.get(which, ()))
    return fields


def body_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the body of a whole policy; a rule without fields is left out, and has its default."""
    body: dict[str, Any] = {}
    for card in RULE_CARDS:
        if card.path == PASSING:
            if PASSING in fields:
                body[PASSING] = fields[PASSING].strip() or None
        elif f"{card.path}.mode" in fields:
            members = _members(card, fields)
            # A rule that policies may leave out is left out while it is off and has no limit.
            if not (card.may_be_absent and members == {"mode": "off"}):
                _put(body, card.path, members)
    return body


def with_rule(policy: Mapping[str, Any], card: RuleCard, fields: Mapping[str, str]) -> Any:
    """Return the body of a policy in which one rule is as its fields say, and the others as they are."""
    others = {
        name: value
        for name, value in fields_of(policy).items()
        if name not in fields_of(policy, [card])
    }
    return body_of({**others, **{name: fields.get(name, "") for name in fields_of({}, [card])}})


def without_rule(policy: Mapping[str, Any], card: RuleCard) -> Any:
    """Return the body of a policy in which one rule has its default, and the others are as they are."""
    own = fields_of(policy, [card])
    return body_of({name: text for name, text in fields_of(policy).items() if name not in own})


def enforced(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a policy in which every rule that is on record is enforced."""
    return {
        name: "enforce" if name.endswith(".mode") and text == "record" else text
        for name, text in fields.items()
    }


def filled(fields: Mapping[str, str]) -> Form:
    """Return a form that is filled with fields."""
    return Form({name: [text] for name, text in fields.items()})


def refused(form: Form, refusal: ValidationFailedError) -> Form:
    """Return a form with the problems of its policy, each at the field that it is about."""
    problems = [FieldProblem(_field_of(each.field), each.message) for each in refusal.problems]
    return form.with_problems(ValidationFailedError(problems))


def _field_of(path: str) -> str:
    path = path.removeprefix("policy.")
    of_countries = path.partition("[")[0] in _COUNTRIES
    return "countries.codes" if of_countries else path


def _members(card: RuleCard, fields: Mapping[str, str]) -> dict[str, Any]:
    members: dict[str, Any] = {"mode": fields[f"{card.path}.mode"]}
    if card.limited and (limit := fields.get(f"{card.path}.limit", "").strip()):
        members["limit"] = limit
    if card.listed:
        codes = [
            each.upper() for each in _CODES.split(fields.get(f"{card.path}.codes", "")) if each
        ]
        which = fields.get(f"{card.path}.list", "")
        if codes and which in LISTS:
            members[which] = codes
    return members


def _put(body: dict[str, Any], path: str, members: dict[str, Any]) -> None:
    *folders, name = path.split(".")
    for folder in folders:
        body = body.setdefault(folder, {})
    body[name] = members
