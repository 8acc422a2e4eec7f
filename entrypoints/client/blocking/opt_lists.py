"""Lists of numbers that opted in to WhatsApp messages, or out of them."""

from __future__ import annotations

from collections.abc import Sequence

from .. import calls
from ..data.opt_lists import (
    Added,
    ListedRecipients,
    ListOptList,
    OptList,
    OptListPage,
    Removed,
)
from .calling import Calling


class OptLists:
    """Put numbers on a list, take them off it, and read it; the last list of a number wins (C-27)."""

    def __init__(self, calling: Calling) -> None:
        self._calling = calling

    def add(
        self, opt_list: OptList, recipients: Sequence[str], *, timeout: float | None = None
    ) -> Added:
        """
        Put 1 to 1,000 numbers on a list.

        After a lost answer, the numbers that the first attempt added count as unchanged.
        """
        call = calls.ADD_OPT_INS if opt_list == "in" else calls.ADD_OPT_OUTS
        request = ListedRecipients(recipients=recipients)
        return (self._calling.make(call, request, timeout=timeout)).data

    def remove(
        self, opt_list: OptList, recipients: Sequence[str], *, timeout: float | None = None
    ) -> Removed:
        """Take 1 to 1,000 numbers off a list; repeats count as in `add`."""
        call = calls.REMOVE_OPT_INS if opt_list == "in" else calls.REMOVE_OPT_OUTS
        request = ListedRecipients(recipients=recipients)
        return (self._calling.make(call, request, timeout=timeout)).data

    def list(
        self,
        opt_list: OptList,
        *,
        page_no: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> OptListPage:
        """Return a page of a list; the first is 0."""
        call = calls.LIST_OPT_INS if opt_list == "in" else calls.LIST_OPT_OUTS
        request = ListOptList(page_no=page_no, limit=limit)
        return self._calling.make(call, request, timeout=timeout)
