"""The way from a request to its route, shorter than aiohttp's where the path is a plain one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from aiohttp import web
from aiohttp.typedefs import Handler
from aiohttp.web_urldispatcher import UrlMappingMatchInfo

# A method, what is above the parameter, and what is below; None where there is no parameter.
_Place = tuple[str, str, str | None]
RequestHandler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class Front:
    """
    Looks a request's route up in a table, and leaves to aiohttp what is not in it (D-47).

    aiohttp tries the routes of a path one after the other, each in a coroutine, and puts a
    middleware of its own around every request. The table holds the routes without a parameter and
    those whose one parameter is the last segment but one, which every busy route is. What is quoted
    or matches none of them goes aiohttp's way, and means what it means there.
    """

    def __init__(self, app: web.Application, otherwise: RequestHandler) -> None:
        self._app = app
        self._otherwise = otherwise
        self._routes: dict[_Place, tuple[web.AbstractRoute, Handler]] = {}
        for route in app.router.routes():
            handler = route.handler
            for middleware in reversed(app.middlewares):
                handler = partial(middleware, handler=handler)
            if (key := _key_of(route)) is not None:
                self._routes[key] = route, handler

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a request."""
        path = request.rel_url.raw_path
        found = self._routes.get((request.method, path, None))
        values: dict[str, str] | None = {}
        if found is None and "%" not in path:
            above, _, last = path.rpartition("/")
            found = self._routes.get((request.method, above.rpartition("/")[0], last))
            values = found and _values_in(path, found[0])
        if found is None or values is None or not isinstance(request, web.Request):
            return await self._otherwise(request)
        route, handler = found
        match = UrlMappingMatchInfo(values, route)
        match.add_app(self._app)
        match.freeze()
        request._match_info = match
        return await handler(request)


def _values_in(path: str, route: web.AbstractRoute) -> dict[str, str] | None:
    matched = route.resource and route.resource.get_info()["pattern"].fullmatch(path)
    return matched.groupdict() if matched else None


def _key_of(route: web.AbstractRoute) -> _Place | None:
    """Give where a route stands in the table: its method, what is above its parameter, what below."""
    path = "" if route.resource is None else route.resource.canonical
    if "{" not in path:
        return route.method, path, None
    above, _, last = path.rpartition("/")
    above, _, parameter = above.rpartition("/")
    if "{" in above + last or not parameter.startswith("{"):
        return None
    return route.method, above, last
