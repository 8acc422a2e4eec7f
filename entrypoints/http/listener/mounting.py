"""Where an application stands: at the root, or under a path of an embedder's own application."""

from __future__ import annotations

from aiohttp import web


class Mount:
    """
    Tells a request's path as this application's routes have it.

    aiohttp puts the prefix of `add_subapp` before every route that there is, so one of them, and what
    it was before, tells the prefix.
    """

    def __init__(self, app: web.Application) -> None:
        self._route = next(iter(app.router.resources()))
        self._path = self._route.canonical

    def within(self, path: str) -> str:
        """Return a path without the prefix."""
        return path.removeprefix(self._route.canonical.removesuffix(self._path))


MOUNT = web.AppKey("mount", Mount)
