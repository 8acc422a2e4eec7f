"""Short links for embedders."""

from __future__ import annotations

from ..wiring import Wired


class ShortLinks:
    """Links that messages were sent with; where your own server takes them, it asks here."""

    def __init__(self, parts: Wired) -> None:
        self._parts = parts

    async def follow(self, code: str, *, counted: bool = True) -> str:
        """
        Give the address behind a code, as `GET /s/{code}` does, and count the click (C-29).

        Raises `NotFoundError`.
        """
        return await self._parts.following_short_links.follow(
            code, self._parts.randomness.new_id("req"), counted=counted
        )
