"""What callers and embedders ask of the opt lists (C-27, C-59)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from ...application.messages.keeping_opt_lists import MAX_RECIPIENTS
from ...application.paging import DEFAULT_PAGE_SIZE
from ...domain.destination import MAX_LENGTH, canonical
from .message_questions import not_negative


def _some_numbers(_instance: object, _attribute: object, recipients: Sequence[str]) -> None:
    if not 1 <= len(recipients) <= MAX_RECIPIENTS:
        raise ValueError(f"must have 1 to {MAX_RECIPIENTS:,} entries")
    for number, each in enumerate(recipients):
        # Whoever a send can name can be opted out.
        if len(each) > MAX_LENGTH or not each.isprintable() or not canonical(each):
            raise ValueError(
                f"must be numbers of 1 to {MAX_LENGTH} visible characters;"
                f" the one at [{number}] is none"
            )


@frozen(kw_only=True)
class ListedRecipients:
    """The numbers that are put on a list, or taken off one."""

    recipients: tuple[str, ...] = field(repr=False, validator=_some_numbers)


@frozen(kw_only=True)
class OptListPage:
    """A page of a list, counted from 0."""

    page_no: int = field(default=0, validator=not_negative)
    limit: int = field(default=DEFAULT_PAGE_SIZE, validator=not_negative)
