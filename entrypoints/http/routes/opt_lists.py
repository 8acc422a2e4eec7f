"""The WhatsApp opt-in and opt-out lists (SPEC C, C-27)."""

from __future__ import annotations

from functools import partial
from typing import Any

from aiohttp import web

from ....domain.consent import OptList
from ...codec import encode, wire_time
from ...messaging.opt_list_questions import ListedRecipients, OptListPage
from ...structuring import structure
from ...wiring import Wired
from ..answers import Answer, page_answer
from ..authentication import messaging_caller
from ..query_names import like, takes
from ..requests import body_as, filters_of, whole_number

_NUMBERS = ("pageNo", "limit")


class OptListRoutes:
    """Who an account may write to on WhatsApp, and who wants nothing."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [
            route(f"/opt/{opt_list}/wa", like(handler, partial(handler, opt_list)))
            for opt_list in OptList
            for route, handler in (
                (web.get, self.listed),
                (web.post, self.put),
                (web.delete, self.take_off),
            )
        ]

    @takes(*_NUMBERS)
    async def listed(self, opt_list: OptList, request: web.Request) -> web.Response:
        """Give one page of a list, who came last first."""
        by = await messaging_caller(request, self._service)
        asked = filters_of(request, _NUMBERS, _page)
        found = await self._service.opt_lists.listed(
            by.account_id, opt_list, asked.page_no, asked.limit
        )
        shown = [{"recipient": each.recipient, "since": wire_time(each.since)} for each in found]
        return page_answer(asked.page_no, asked.limit, shown).response(by.request_id)

    async def put(self, opt_list: OptList, request: web.Request) -> web.Response:
        """Put numbers on a list."""
        by = await messaging_caller(request, self._service)
        recipients = (await body_as(request, ListedRecipients)).recipients
        done = await self._service.opt_lists.put(by, opt_list, recipients)
        counts = {"added": done.changed, "unchanged": done.unchanged}
        return _counted(counts).response(by.request_id)

    async def take_off(self, opt_list: OptList, request: web.Request) -> web.Response:
        """Take numbers off a list."""
        by = await messaging_caller(request, self._service)
        recipients = (await body_as(request, ListedRecipients)).recipients
        done = await self._service.opt_lists.take_off(by, opt_list, recipients)
        counts = {"removed": done.changed, "unchanged": done.unchanged}
        return _counted(counts).response(by.request_id)


def _page(given: dict[str, Any]) -> OptListPage:
    return structure({name: whole_number(text) for name, text in given.items()}, OptListPage)


def _counted(counts: dict[str, int]) -> Answer:
    return Answer(200, encode({"status": "success", "data": counts}))
