"""The search of messages, for callers and for operators (SPEC 4 E, C-37)."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.messages.looking_up.searching_messages import COUNTED_TO, MessageSearch
from ...messaging.message_questions import TAGS, MessageFilters, report_question
from ...wiring import Wired
from ..answers import Answer, list_answer
from ..authentication import messaging_caller
from ..operating import Operators
from ..query_names import PAGE, takes
from ..reports import reported_message
from ..requests import filters_of, paging_of

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


class MessageReportRoutes:
    """What became of messages, one account's with its key, or anybody's with the operator's token."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Return the callers' route."""
        return [web.get("/messages", self.own)]

    def table_of(self, operators: Operators) -> list[web.RouteDef]:
        """Return the operators' route."""
        return operators.table(((web.get, "messages", self.all),))

    @takes(*_OWN, *PAGE)
    async def own(self, request: web.Request) -> web.Response:
        """Search the messages of the key's account."""
        by = await messaging_caller(request, self._service)
        search = self._filters(request, _OWN).search(by.account_id)
        return (await self._found(request, search)).response(by.request_id)

    @takes(*_OWN, "account", *PAGE)
    async def all(self, request: web.Request, by: Caller) -> web.Response:
        """Search messages, of all accounts or of one."""
        filters = self._filters(request, (*_OWN, "account"))
        account = filters.account
        account_id = None if account is None else await self._service.accounts.resolve(account)
        search = filters.search(account_id, small=self._service.sandbox is not None)
        return (await self._found(request, search)).response(by.request_id)

    def _filters(self, request: web.Request, names: tuple[str, ...]) -> MessageFilters:
        def read(given: dict[str, Any]) -> MessageFilters:
            # What the documentation of reports calls `channelType`, all other searches call `channel`.
            if (channel := given.pop("channel", None)) is not None:
                given.setdefault("channelType", channel)
            return report_question(given, self._service.third_parties)

        return filters_of(request, names, read)

    async def _found(self, request: web.Request, search: MessageSearch) -> Answer:
        listed = await self._service.searching_messages.search(search, paging_of(request))
        shown = [reported_message(each) for each in listed.data]
        return list_answer(listed, shown, totalIsExact=listed.total < COUNTED_TO)
