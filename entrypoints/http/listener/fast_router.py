"""Finds the route of a request faster than aiohttp does, if its path is a plain one."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from aiohttp.web_urldispatcher import UrlMappingMatchInfo

from .incoming_requests import path_of

RequestHandler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class FastRouter:
    """
    Looks up a request's route in a table, and leaves all others to aiohttp (D-47).

    aiohttp tries the routes of a path one after the other, each in a coroutine, and puts a
    middleware of its own around every request. The table holds the routes without a parameter and
    those whose one parameter is the last segment but one, which every busy route is. What is quoted
    or matches none of them goes aiohttp's way, and means what it means there.
    """

    def __init__(self, app: web.Application, otherwise: RequestHandler) -> None:
        self._app = app
        self._otherwise = otherwise
        # By the method and the path.
        self._fixed: dict[tuple[str, str], tuple[UrlMappingMatchInfo, Handler]] = {}
        # By the method, what is above the parameter, and what is below.
        self._with_parameter: dict[
            tuple[str, str, str], tuple[re.Pattern[str], web.AbstractRoute, Handler]
        ] = {}
        for route in app.router.routes():
            handler = route.handler
            for middleware in reversed(app.middlewares):
                handler = _within(middleware, handler)
            path = "" if route.resource is None else route.resource.canonical
            if "{" not in path:
                self._fixed[route.method, path] = self._match({}, route), handler
            elif route.resource is not None and (place := _around_parameter(path)) is not None:
                pattern = route.resource.get_info()["pattern"]
                self._with_parameter[route.method, *place] = pattern, route, handler

    def __call__(self, request: web.Request) -> Awaitable[web.StreamResponse]:
        """Answer a request."""
        method, path = request.method, request.raw_path
        # Most paths are all of it; of others the URL knows which part is the path.
        if "?" in path or "#" in path:
            path = path_of(request)
        found = self._fixed.get((method, path)) or self._by_parameter(method, path)
        if found is None:
            return self._otherwise(request)
        request._match_info, handler = found
        return handler(request)

    def _by_parameter(self, method: str, path: str) -> tuple[UrlMappingMatchInfo, Handler] | None:
        if "%" in path:
            return None
        around = path.rsplit("/", 2)
        found = self._with_parameter.get((method, around[0], around[-1]))
        if found is None:
            return None
        pattern, route, handler = found
        matched = pattern.fullmatch(path)
        return (self._match(matched.groupdict(), route), handler) if matched else None

    def _match(self, values: dict[str, str], route: web.AbstractRoute) -> UrlMappingMatchInfo:
        match = UrlMappingMatchInfo(values, route)
        match.add_app(self._app)
        return match


def _within(middleware: Middleware, handler: Handler) -> Handler:
    # Calling a `partial` with a keyword takes longer (callgrind).
    def whole(request: web.Request) -> Awaitable[web.StreamResponse]:
        return middleware(request, handler)

    return whole


def _around_parameter(path: str) -> tuple[str, str] | None:
    """Return what is above and below a path's only parameter, if it is the last segment but one."""
    above, _, below = path.rpartition("/")
    above, _, parameter = above.rpartition("/")
    if "{" in above + below or not parameter.startswith("{"):
        return None
    return above, below
