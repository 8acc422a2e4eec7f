"""Short links for embedders."""

from __future__ import annotations

from ...application.short_links.views import ShortLinkView
from .leasing import Facade
from .references import embedder, id_of


class ShortLinks(Facade):
    """Links that messages were sent with, by their codes; your own server asks here where they lead."""

    async def follow(self, code: str, *, counted: bool = True) -> str:
        """
        Give the address behind a code, as `GET /s/{code}` does, and count the click (C-29).

        Raises `NotFoundError`, for a link that is disabled too.
        """
        return await self._parts.following_short_links.follow(
            id_of(code, "code"), self._parts.randomness.new_id("req"), counted=counted
        )

    async def disable(self, code: str) -> ShortLinkView:
        """Lead nobody on by a link until it is enabled (C-95); raises `NotFoundError`."""
        return await self._parts.short_links.disable(embedder(self._parts, ""), id_of(code, "code"))

    async def enable(self, code: str) -> ShortLinkView:
        """Lead on by a link again; raises `NotFoundError`."""
        return await self._parts.short_links.enable(embedder(self._parts, ""), id_of(code, "code"))
