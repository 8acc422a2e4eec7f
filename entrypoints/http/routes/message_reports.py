"""The search of messages, for callers and for operators (SPEC 4 E, C-37)."""

from __future__ import annotations

from functools import partial

from aiohttp import web
from attrs import evolve

from ....application.caller import Caller
from ....application.messages.looking_up.searching_messages import MessageSearch
from ....application.paging import Paging
from ....application.searches import COUNTED_TO
from ...messaging.message_questions import report_question, require_account
from ...messaging.shown_messages import reported_message
from ...wire.searches import names_of
from ...wired import Wired
from ..operator_handlers import account_searched, records_answer
from ..request_ids import calling_about
from ..requests import paging_of, search_in_body, search_of
from ..route import KEY_FOR_MESSAGES, PAGE, READ, About, Route


async def search_own(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search the messages of the key's account."""
    search = evolve(_search(service, request), account_id=by.account_id)
    return await _found(service, request, by, search, paging_of(request))


async def posted_own(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search the messages of the key's account by the members of a body (C-73)."""
    search, paging = await _posted(service, request)
    return await _found(service, request, by, evolve(search, account_id=by.account_id), paging)


async def search_all(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search messages, of all accounts or of one."""
    search = await _of_account(service, by, _search(service, request))
    return await _found(service, request, by, search, paging_of(request))


async def posted_all(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search messages, of all accounts or of one, by the members of a body (C-73)."""
    search, paging = await _posted(service, request)
    return await _found(service, request, by, await _of_account(service, by, search), paging)


def _search(service: Wired, request: web.Request) -> MessageSearch:
    read = partial(report_question, third_parties=service.third_parties)
    return search_of(request, MessageSearch, read)


async def _posted(service: Wired, request: web.Request) -> tuple[MessageSearch, Paging]:
    read = partial(report_question, third_parties=service.third_parties)
    return await search_in_body(request, MessageSearch, read)


async def _of_account(service: Wired, by: Caller, search: MessageSearch) -> MessageSearch:
    account_id = await account_searched(service, by, search.account_id, *search.personal)
    search = evolve(search, account_id=account_id)
    require_account(search, small=service.sandbox is not None)
    return search


async def _found(
    service: Wired, request: web.Request, by: Caller, search: MessageSearch, paging: Paging
) -> web.Response:
    by = calling_about(request, by, [search.recipient] if search.recipient else ())
    listed = await service.searching_messages.search(search, paging)
    shown = [reported_message(each) for each in listed.data]
    exact = listed.total < COUNTED_TO
    return records_answer(by, listed, shown, totalIsExact=exact)


_ALL = (*names_of(MessageSearch), *PAGE)
_OWN = tuple(name for name in _ALL if name != "account")

MESSAGE_REPORT_ROUTES = (
    Route(
        "GET",
        "/messages",
        search_own,
        KEY_FOR_MESSAGES,
        About.ACCOUNT,
        _OWN,
        search=MessageSearch,
        names_people=True,
    ),
    Route(
        "POST",
        "/messages/search",
        posted_own,
        KEY_FOR_MESSAGES,
        About.ACCOUNT,
        search=MessageSearch,
        members=_OWN,
        names_people=True,
    ),
    Route(
        "GET",
        "/admin/v1/messages",
        search_all,
        READ,
        About.ACCOUNT,
        _ALL,
        search=MessageSearch,
        names_people=True,
    ),
    Route(
        "POST",
        "/admin/v1/messages/search",
        posted_all,
        READ,
        About.ACCOUNT,
        search=MessageSearch,
        members=_ALL,
        names_people=True,
    ),
)
