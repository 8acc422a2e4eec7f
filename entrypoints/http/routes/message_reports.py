"""The search of messages, for callers and for operators (SPEC 4 E, C-37)."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.messages.looking_up.searching_messages import COUNTED_TO, MessageSearch
from ...messaging.message_questions import TAGS, MessageFilters, report_question
from ...wiring import Wired
from ..answers import Answer, list_answer
from ..reports import reported_message
from ..requests import filters_of, paging_of
from ..route import KEY_FOR_MESSAGES, PAGE, READ, About, Route

_OWN = (
    "recipient",
    "reference",
    "status",
    "direction",
    "channel",
    "channelType",
    "channelName",
    "resourceType",
    *TAGS,
    "from",
    "to",
)


async def search_own(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search the messages of the key's account."""
    search = _filters(service, request, _OWN).search(by.account_id)
    return (await _found(service, request, search)).response(by.request_id)


async def search_all(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search messages, of all accounts or of one."""
    filters = _filters(service, request, (*_OWN, "account"))
    account = filters.account
    account_id = None if account is None else await service.accounts.resolve(account)
    search = filters.search(account_id, small=service.sandbox is not None)
    return (await _found(service, request, search)).response(by.request_id)


def _filters(service: Wired, request: web.Request, names: tuple[str, ...]) -> MessageFilters:
    def read(given: dict[str, Any]) -> MessageFilters:
        # What the documentation of reports calls `channelType`, all other searches call `channel`.
        if (channel := given.pop("channel", None)) is not None:
            given.setdefault("channelType", channel)
        return report_question(given, service.third_parties)

    return filters_of(request, names, read)


async def _found(service: Wired, request: web.Request, search: MessageSearch) -> Answer:
    listed = await service.searching_messages.search(search, paging_of(request))
    shown = [reported_message(each) for each in listed.data]
    return list_answer(listed, shown, totalIsExact=listed.total < COUNTED_TO)


_ALL = (*_OWN, "account", *PAGE)

OWN_MESSAGE_ROUTES = (
    Route("GET", "/messages", search_own, KEY_FOR_MESSAGES, About.ACCOUNT, (*_OWN, *PAGE)),
)
ALL_MESSAGE_ROUTES = (Route("GET", "/admin/v1/messages", search_all, READ, About.ACCOUNT, _ALL),)
