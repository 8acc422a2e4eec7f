"""Short links for embedders."""

from __future__ import annotations

from ...application.short_links.views import ShortLinkView
from .leasing import Facade
from .references import embedder, id_of


class ShortLinks(Facade):
    """Short links of messages by code, for a server of your own that redirects."""

    async def follow(self, code: str, *, counted: bool = True) -> str:
        """
        Return the address of a code, as `GET /s/{code}` does, and count the click (C-29).

        Raises `NotFoundError`, also for a disabled link.
        """
        return await self._parts.following_short_links.follow(
            id_of(code, "code"), self._parts.randomness.new_id("req"), counted=counted
        )

    async def disable(self, code: str) -> ShortLinkView:
        """Disable a link until it is enabled again (C-95); raise `NotFoundError`."""
        return await self._parts.short_links.disable(embedder(self._parts, ""), id_of(code, "code"))

    async def enable(self, code: str) -> ShortLinkView:
        """Enable a link again; raise `NotFoundError`."""
        return await self._parts.short_links.enable(embedder(self._parts, ""), id_of(code, "code"))
