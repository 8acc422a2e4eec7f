"""Opt lists for embedders."""

from __future__ import annotations

from collections.abc import Sequence

from ...application.messages.opt_lists.keeping_opt_lists import ListChange
from ...application.messages.opt_lists.views import ConsentView
from ...application.paging import DEFAULT_PAGE_SIZE
from ...domain.consent import OptList
from ...domain.errors import FieldProblem, ValidationFailedError
from ..messaging.opt_list_questions import ListedRecipients, OptListPage
from ..wire.structuring import structure
from .leasing import Facade
from .references import Reference, calling_for, documented


class OptLists(Facade):
    """The WhatsApp opt lists of accounts, `in` and `out` (C-27)."""

    async def add(self, account: Reference, opt_list: str, recipients: Sequence[str]) -> ListChange:
        """Add 1 to 1,000 numbers to a list; a number moves from the other list."""
        named, asked = _list_named(opt_list), _recipients(recipients)
        by = await calling_for(self._parts, account)
        return await self._parts.opt_lists.put(by, named, asked)

    async def remove(
        self, account: Reference, opt_list: str, recipients: Sequence[str]
    ) -> ListChange:
        """Remove 1 to 1,000 numbers from a list; numbers on the other list stay there."""
        named, asked = _list_named(opt_list), _recipients(recipients)
        by = await calling_for(self._parts, account)
        return await self._parts.opt_lists.take_off(by, named, asked)

    async def list(
        self,
        account: Reference,
        opt_list: str,
        page_no: int = 0,
        limit: int = DEFAULT_PAGE_SIZE,
    ) -> Sequence[ConsentView]:
        """Return a page of a list, the newest entry first; pages count from 0, with 100 entries at most."""
        named = _list_named(opt_list)
        asked = structure(documented(page_no=page_no, limit=limit), OptListPage)
        account_id = (await calling_for(self._parts, account)).account_id
        return await self._parts.opt_lists.listed(account_id, named, asked.page_no, asked.limit)


def _recipients(recipients: Sequence[str]) -> tuple[str, ...]:
    return structure(documented(recipients=recipients), ListedRecipients).recipients


def _list_named(opt_list: str) -> OptList:
    try:
        return OptList(opt_list)
    except ValueError:
        problem = FieldProblem("opt_list", f"must be one of {', '.join(OptList)}")
        raise ValidationFailedError([problem]) from None
