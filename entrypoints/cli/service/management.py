"""Calls the management routes of a service (C-35)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from attrs import frozen

from ....application.paging import MAX_PAGE_SIZE
from ...wire.event_counts import LogStatistics
from ...wire.guard_policies import GuardPolicyBody
from ...wire.log_heads import LogHead
from .client import Client
from .records import Kind, Record

T = TypeVar("T")


@frozen(kw_only=True)
class _Page:
    total_pages: int
    data: tuple[Any, ...]


@frozen(kw_only=True)
class _Heads:
    data: tuple[LogHead, ...]


@frozen(kw_only=True)
class _Statistics:
    data: tuple[Any, ...]
    position: int


class Management:
    """
    Calls the management routes with the operator's token.

    Every call may raise `RemoteRefusal` or `Unreachable`. A body has the spelling of the documented
    route; an `account`, in a body or a query, is an id or a name.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    async def act(self, method: str, kind: Kind, *below: str, body: Record | None = None) -> Record:
        """
        Call a route that answers with one record.

        `below` is the path below that of its kind. Members of the body that are None are left out,
        except in a PATCH, where they remove something.
        """
        given = body if body is None or method == "PATCH" else _given(body)
        record = await self._client.call(method, _path(kind, below), given)
        self._client.understood(record, kind.form)
        return record

    async def lines(self, kind: Kind, *below: str, body: Record) -> AsyncIterator[Record]:
        """Call a route that answers line by line, and yield each line when it comes."""
        async for line in self._client.lines("POST", _path(kind, below), body):
            yield line

    async def list(
        self,
        kind: Kind,
        *below: str,
        query: Mapping[str, str | None] | None = None,
        limit: int | None = None,
    ) -> Sequence[Record]:
        """Return the records that a query finds, the newest first; at most `limit` of them."""
        asked = _given(query or {})
        return await self._first(kind, partial(self._page, _path(kind, below), asked), limit)

    async def search(
        self, kind: Kind, filters: Mapping[str, str], limit: int | None = None
    ) -> Sequence[Record]:
        """Return the records that filters find, the newest first; numbers are in bodies alone (C-73)."""
        return await self._first(kind, partial(self._searched, kind.path, filters), limit)

    async def messages(self, filters: Mapping[str, str], page: int) -> Sequence[Record]:
        """Return a page of the delivery report (C-37); `filters` are those of the route."""
        return (await self._searched("/messages", filters, page)).data

    async def guard_policy(self, account: str, wanted: Record | None = None) -> Record:
        """Return the guard policy of an account, after replacing it if one is `wanted`."""
        method = "GET" if wanted is None else "PUT"
        policy = await self._client.call(method, "/guard", wanted, {"account": account})
        self._client.understood(policy, GuardPolicyBody)
        return policy

    async def sealed(self) -> Record:
        """Return a signed head of the log as it is now."""
        head = await self._client.call("POST", "/log/seal")
        self._client.understood(head, LogHead)
        return head

    async def heads(self, after: int, page: int) -> Sequence[Record]:
        """Return all heads of more than `after` events, by size, which are read page by page."""
        found: list[Record] = []
        while True:
            query = {"after": str(after), "limit": str(page)}
            answer = await self._client.call("GET", "/log/heads", query=query)
            some = self._client.understood(answer, _Heads).data
            found += answer["data"]
            if len(some) < page:
                return found
            after = some[-1].size

    async def statistics(self, query: Mapping[str, str]) -> Record:
        """Return the answer to a question for the statistics (C-80)."""
        answer = await self._client.call("GET", "/stats", query=query)
        self._client.understood(answer, _Statistics)
        return answer

    async def event_counts(self) -> Record:
        """Return how many events of each name the log has (C-105)."""
        answer = await self._client.call("GET", "/log/stats")
        self._client.understood(answer, LogStatistics)
        return answer

    async def _first(
        self, kind: Kind, ask: Callable[[int], Awaitable[_Page]], limit: int | None
    ) -> Sequence[Record]:
        found: list[Record] = []
        page, pages = 1, 1
        while page <= pages and (limit is None or len(found) < limit):
            listed = await ask(page)
            found += listed.data
            page, pages = page + 1, listed.total_pages
        for each in found:
            self._client.understood(each, kind.form)
        return found[:limit]

    async def _searched(self, path: str, filters: Mapping[str, str], page: int) -> _Page:
        body = {**filters, "page": page, "pageSize": MAX_PAGE_SIZE}
        answer = await self._client.call("POST", f"{path}/search", body)
        return self._client.understood(answer, _Page)

    async def _page(self, path: str, query: Mapping[str, str], page: int) -> _Page:
        paging = {"page": str(page), "pageSize": str(MAX_PAGE_SIZE)}
        answer = await self._client.call("GET", path, query={**query, **paging})
        return self._client.understood(answer, _Page)


def _given(named: Mapping[str, T | None]) -> dict[str, T]:
    return {name: value for name, value in named.items() if value is not None}


def _path(kind: Kind, below: Sequence[str]) -> str:
    # A blank replaces an empty id: it is as unknown, but leads to the same route.
    return "".join((kind.path, *(f"/{quote(each or ' ', safe='')}" for each in below)))
