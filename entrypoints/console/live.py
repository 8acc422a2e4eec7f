"""Tells an open page that what it shows has grown, by server-sent events."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

from aiohttp import web

from ...application.audit.log_search import LogSearch
from ...application.audit.reading_log import LogPage
from ...application.errors import UnavailableError
from ..http.listener.leaving import LOOK_EVERY, leaving_ends
from ..http.listener.stopping import STOPPING
from ..http.request_ids import request_id_of
from ..http.requests import integer
from .cookies import Cookies
from .streaming import event_stream
from .visit import Visit

# A page that stays open asks again after this time, which bounds how long a forgotten one costs.
_SECONDS = 300.0
_LOOK_SECONDS = 15.0
# A busy log is told of at most so often; each time, the session is looked up.
_REST_SECONDS = 0.5
_AT_ONCE = 100
_MOST_MISSED = 1_000
MOST_LIVE = 64
# A browser has six connections to a server, and needs some of them for its next page (D-549).
MOST_OF_A_SESSION = 4
# No account with tokens of its own takes the places of all others (C-94).
MOST_OF_AN_ACCOUNT = MOST_LIVE // 4
# A browser that turns pages quickly leaves some behind, which are noticed at the next look at a connection.
WAIT_SECONDS = 3 * LOOK_EVERY


class Live:
    """Streams `changed` to pages: whenever a stream gets events, or the log does."""

    def __init__(self, cookies: Cookies) -> None:
        self._cookies = cookies
        self._open: Counter[str] = Counter()
        self._closed = asyncio.Condition()

    async def show(self, visit: Visit) -> web.StreamResponse:
        """
        Tell of new events of each `stream`, or of the account, until the page is closed or the session ends.

        `after` is the `position` at which the page was made, so that it hears of what came meanwhile.

        A bound token hears of its account's events alone. There are places for `MOST_LIVE` pages,
        `MOST_OF_A_SESSION` of one session, and `MOST_OF_AN_ACCOUNT` of the tokens that are bound to one.
        Raises `UnavailableError` if none becomes free within `WAIT_SECONDS` (D-549).
        """
        places = {"": MOST_LIVE, visit.session.id: MOST_OF_A_SESSION}
        if visit.by.bound_to is not None:
            places[visit.by.bound_to] = MOST_OF_AN_ACCOUNT
        await self._take(places, visit.request)
        try:
            return await self._tell(visit)
        finally:
            await self._free(places)

    async def _take(self, places: Mapping[str, int], request: web.Request) -> None:
        def are_free() -> bool:
            return all(self._open[each] < most for each, most in places.items())

        try:
            async with asyncio.timeout(WAIT_SECONDS) as deadline, self._closed:
                stopping = request.app[STOPPING].may_end(deadline, request)
                with stopping, leaving_ends(deadline, request):
                    await self._closed.wait_for(are_free)
                self._open.update(places.keys())
        except TimeoutError as error:
            raise UnavailableError from error

    async def _free(self, places: Mapping[str, int]) -> None:
        self._open.subtract(places.keys())
        # Of what nobody has open, nothing is kept.
        self._open = +self._open
        async with self._closed:
            self._closed.notify_all()

    async def _tell(self, visit: Visit) -> web.StreamResponse:
        # Read before the page hears that the stream is open, from when on it counts on every event.
        newest = await visit.service.journal.newest()
        response = await event_stream(visit)
        with suppress(ConnectionResetError):
            await response.write(b": open\n\n")
            await self._follow(visit, response, newest)
        return response

    async def _follow(self, visit: Visit, response: web.StreamResponse, newest: int) -> None:
        service, request = visit.service, visit.request
        search = LogSearch(streams=frozenset(filter(None, request.query.getall("stream", ()))))
        after = newest
        if visit.by.bound_to is None:
            # A position tells how much the whole store does, which a bound token could find out with it.
            after = min(integer(request.query.get("after"), newest), newest)
        if newest - after > _MOST_MISSED:
            # The page is too old to look for what it missed: it looks at everything anew.
            after = newest
            await response.write(_changed("Missed"))
        loop = asyncio.get_running_loop()
        until = loop.time() + _SECONDS
        silent_until = loop.time() + _LOOK_SECONDS
        while loop.time() < until and await self._still_open(visit):
            page = LogPage((), after)
            wait = max(silent_until - loop.time(), 0)
            try:
                async with asyncio.timeout(None) as deadline:
                    stopping = request.app[STOPPING].may_end(deadline, request)
                    with stopping, leaving_ends(deadline, request):
                        page = await service.watching_log.events(after, _AT_ONCE, search, wait)
                        await asyncio.sleep(_REST_SECONDS)
            except TimeoutError:
                return
            after = page.next
            mine = [each for each in page.events if visit.account_id in (None, each.account)]
            # What another account does shows in nothing, not even in when a line comes (D-520).
            if mine:
                await response.write(_changed(mine[-1].type))
            elif loop.time() >= silent_until:
                await response.write(b": nothing new\n\n")
            else:
                continue
            silent_until = loop.time() + _LOOK_SECONDS

    async def _still_open(self, visit: Visit) -> bool:
        secret = self._cookies.session(visit.request)
        if secret is None:
            return False
        sessions = visit.service.console_sessions
        found = await sessions.find(secret, request_id_of(visit.request), using=False)
        return found is not None


async def position(visit: Visit) -> int | None:
    """Return the end of the log for a page that is to be followed from here; None for a bound token."""
    return None if visit.by.bound_to else await visit.service.journal.newest()


def _changed(name: str) -> bytes:
    return f"event: changed\ndata: {name}\n\n".encode()
