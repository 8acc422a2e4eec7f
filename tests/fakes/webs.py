"""A web with scripted answers that remembers its calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from attrs import define, field, frozen

from watchword.application.ports.web import WebAnswer, WebContent, WebError, WebFailure


@frozen
class Posted:
    """A call, as it came."""

    url: str
    headers: Mapping[str, str]
    body: bytes


@define
class ScriptedWeb:
    """
    Answers every URL with `status`, or fails in the way that stands there.

    `contents` are what stands at URLs. URLs in `hanging` are answered once `let_go` is set; those in
    `refused` must not be called.
    """

    status: int | WebFailure = 204
    posted: list[Posted] = field(factory=list)
    hanging: set[str] = field(factory=set)
    refused: Mapping[str, str] = field(factory=dict)
    contents: Mapping[str, bytes] = field(factory=dict)
    let_go: asyncio.Event = field(factory=asyncio.Event)

    async def refusal(self, url: str) -> str | None:
        """Return the mistake of a URL."""
        return self.refused.get(url)

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, most: int = 0
    ) -> WebAnswer:
        """Take a call; the content of its URL is what a refusal says."""
        self.posted.append(Posted(url, headers, body))
        if url in self.hanging:
            await self.let_go.wait()
        if isinstance(self.status, WebFailure):
            raise WebError(self.status)
        said = b"" if 200 <= self.status < 300 else self.contents.get(url, b"")
        return WebAnswer(self.status, said[:most])

    async def exchange(
        self, url: str, headers: Mapping[str, str], body: bytes, most: int
    ) -> WebAnswer:
        """Take a call, and answer with the content of its URL."""
        answer = await self.post(url, headers, body)
        return WebAnswer(answer.status, self.contents.get(url, b"")[:most])

    @asynccontextmanager
    async def get(self, url: str) -> AsyncIterator[WebContent]:
        """Yield the content of a URL, in two chunks."""
        if url in self.refused:
            raise WebError(WebFailure.ADDRESS_REFUSED)
        if url not in self.contents:
            raise WebError(WebFailure.STATUS)
        content = self.contents[url]

        async def chunks() -> AsyncIterator[bytes]:
            yield content[:1]
            yield content[1:]

        yield WebContent("image/png", chunks())
