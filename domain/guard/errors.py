"""The refusals of the guard that are no limits (C-77)."""

from __future__ import annotations

from ..errors import DomainError
from .rules import Rule

_BECAUSE = {
    Rule.NUMBERS: "This number cannot exist. Check the destination.",
    Rule.COUNTRIES: "The account does not send to numbers of this country.",
}


class DestinationNotAllowedError(DomainError):
    """The rule `numbers` or `countries` refuses the destination; `details.rule` names it (C-102)."""

    code = "destination_not_allowed"

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        super().__init__(_BECAUSE[rule], {"rule": str(rule)})
