"""Requests to the opt lists (C-27, C-59)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from attrs import field, frozen

from ...application.messages.opt_lists.keeping_opt_lists import MAX_RECIPIENTS
from ...application.paging import DEFAULT_PAGE_SIZE
from ...domain.destination import number_problem
from ...domain.errors import MOST_PROBLEMS, FieldProblem, ValidationFailedError
from .message_questions import numbered


def some_numbers(_instance: object, _attribute: object, recipients: Sequence[str]) -> None:
    """Check the count of numbers in one call, and that each is a number."""
    if not 1 <= len(recipients) <= MAX_RECIPIENTS:
        raise ValueError(f"must have 1 to {MAX_RECIPIENTS:,} entries")
    wrong = (
        FieldProblem(f"[{index}]", problem)
        for index, each in enumerate(recipients)
        if (problem := number_problem(each)) is not None
    )
    if problems := tuple(islice(wrong, MOST_PROBLEMS)):
        raise ValidationFailedError(problems)


@frozen(kw_only=True)
class ListedRecipients:
    """The numbers to add to a list or to remove from one."""

    recipients: tuple[str, ...] = field(repr=False, validator=some_numbers)


@frozen(kw_only=True)
class OptListPage:
    """A page of a list, counted from 0."""

    page_no: int = numbered("Which page, counted from 0.", 0)
    limit: int = numbered("How many at most.", DEFAULT_PAGE_SIZE)
