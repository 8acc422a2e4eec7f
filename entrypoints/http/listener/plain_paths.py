"""Paths that are quoted where their routes' are not: they lead nowhere (C-96, D-140)."""

from __future__ import annotations

import re

from aiohttp import web

from .incoming_requests import path_of


def refuse_disguised(request: web.Request) -> None:
    """
    Raise `HTTPNotFound` for a path of which more than a parameter is quoted.

    To aiohttp `/%61dmin` is `/admin`. Whoever stands in front and judges paths by their letters, as a
    proxy does, has to see the path that the routes see.
    """
    resource = request.match_info.route.resource
    # Without a route it may still be a path that takes another method.
    meant = request.app.router.resources() if resource is None else (resource,)
    path = path_of(request)
    if "%" in path and not any(_pattern_of(each).fullmatch(path) for each in meant):
        raise web.HTTPNotFound


def _pattern_of(resource: web.AbstractResource) -> re.Pattern[str]:
    return resource.get_info().get("pattern") or re.compile(re.escape(resource.canonical))
