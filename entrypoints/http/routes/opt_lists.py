"""The WhatsApp opt-in and opt-out lists (SPEC C, C-27)."""

from __future__ import annotations

from functools import partial
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....domain.consent import OptList
from ...messaging.opt_list_questions import ListedRecipients, OptListPage
from ...wire.codec import encode, wire_time
from ...wire.searches import names_of
from ...wire.structuring import structure
from ...wired import Wired
from ..answers import Answer, page_answer
from ..request_ids import calling_about
from ..requests import body_as, search_of
from ..route import KEY_FOR_MESSAGES, About, Route


async def listed(
    opt_list: OptList, service: Wired, request: web.Request, by: Caller
) -> web.Response:
    """Return one page of a list, the newest entry first."""
    asked = search_of(request, OptListPage, _page)
    found = await service.opt_lists.listed(by.account_id, opt_list, asked.page_no, asked.limit)
    shown = [{"recipient": each.recipient, "since": wire_time(each.since)} for each in found]
    return page_answer(asked.page_no, asked.limit, shown).response(by.request_id)


async def put(opt_list: OptList, service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Put numbers on a list."""
    recipients = (await body_as(request, ListedRecipients)).recipients
    by = calling_about(request, by, recipients)
    done = await service.opt_lists.put(by, opt_list, recipients)
    counts = {"added": done.changed, "unchanged": done.unchanged}
    return _counted(counts).response(by.request_id)


async def take_off(
    opt_list: OptList, service: Wired, request: web.Request, by: Caller
) -> web.Response:
    """Take numbers off a list."""
    recipients = (await body_as(request, ListedRecipients)).recipients
    by = calling_about(request, by, recipients)
    done = await service.opt_lists.take_off(by, opt_list, recipients)
    counts = {"removed": done.changed, "unchanged": done.unchanged}
    return _counted(counts).response(by.request_id)


def _page(given: dict[str, Any]) -> OptListPage:
    return structure(given, OptListPage)


def _counted(counts: dict[str, int]) -> Answer:
    return Answer(200, encode({"status": "success", "data": counts}))


def _routes(opt_list: OptList) -> tuple[Route, ...]:
    path, needs = f"/opt/{opt_list}/wa", KEY_FOR_MESSAGES
    return (
        Route(
            "GET",
            path,
            partial(listed, opt_list),
            needs,
            About.ACCOUNT,
            names_of(OptListPage),
            search=OptListPage,
        ),
        Route("POST", path, partial(put, opt_list), needs, About.ACCOUNT, names_people=True),
        Route("DELETE", path, partial(take_off, opt_list), needs, About.ACCOUNT, names_people=True),
    )


OPT_LIST_ROUTES = tuple(route for opt_list in OptList for route in _routes(opt_list))
