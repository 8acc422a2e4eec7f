"""Hosted media for embedders."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from contextlib import aclosing
from pathlib import Path

from ...application.media.views import MediaView
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from .leasing import Facade
from .references import Reference, account_filter, calling_for, embedder, id_of

_PIECE = 256 * 1024


class Media(Facade):
    """Files hosted for accounts (C-25), each of less than 100 MiB."""

    async def create(
        self,
        account: Reference,
        content: bytes | AsyncIterable[bytes] | Path,
        *,
        name: str | None = None,
        content_type: str | None = None,
    ) -> MediaView:
        """
        Host a file: its bytes, an iterable of its pieces, or its path.

        Without a `name`, the file gets the name of its path. Raises `FileTooLargeError`,
        `EmptyFileError`, `UnavailableError`, and what reading the content raises.
        """
        if not isinstance(content, bytes | Path | AsyncIterable):
            raise TypeError(
                f"The content is a {type(content).__name__}. Give bytes, a Path, or what gives bytes"
                " piece by piece (async for)."
            )
        by = await calling_for(self._parts, account)
        if isinstance(content, Path):
            name = name or content.name
        async with (
            self._parts.receiving_media.upload(by) as upload,
            aclosing(pieces_of(content)) as pieces,
        ):
            received = await upload.receive(pieces, name=name, content_type=content_type)
            return await self._parts.storing_media.store(by, upload, received)

    async def create_from_url(self, account: Reference, url: str) -> MediaView:
        """
        Host the file at a URL, which is fetched as for A3.

        Raises `ValidationFailedError` for a URL that must not be called, and `MediaUrlFailedError`.
        """
        by = await calling_for(self._parts, account)
        async with self._parts.receiving_media.upload(by) as upload:
            received = await self._parts.storing_media.fetch(upload, url)
            return await self._parts.storing_media.store(by, upload, received)

    async def get(self, media: Reference) -> MediaView:
        """Return a medium by its id; raise `MediaNotFoundError` or `MediaRemovedError`."""
        return await self._parts.hosted_media.get(id_of(media))

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[MediaView]:
        """List the hosted files, the newest first."""
        account_id = await account_filter(self._parts, account)
        return await self._parts.hosted_media.list(account_id, Paging.clamped(page, page_size))

    async def remove(self, media: Reference) -> MediaView:
        """Remove a medium and its file (C-95); raise `MediaNotFoundError`."""
        by = embedder(self._parts, "")
        return await self._parts.removing_media.remove(by, id_of(media))

    async def content(self, media: Reference) -> AsyncIterator[bytes]:
        """Yield a medium's bytes, piece by piece; raise `MediaNotFoundError` or `UnavailableError`."""
        stored = await self.get(media)
        async with self._parts.hosted_media.opened(stored.id) as file:
            for at in range(0, file.size, _PIECE):
                yield await file.read(at, _PIECE)


async def pieces_of(
    content: bytes | AsyncIterable[bytes] | Path,
) -> AsyncGenerator[bytes, None]:
    """Yield the bytes of a content in pieces."""
    if isinstance(content, bytes):
        yield content
    elif isinstance(content, Path):
        with await asyncio.to_thread(content.open, "rb") as file:
            while piece := await asyncio.to_thread(file.read, _PIECE):
                yield piece
    else:
        async for piece in content:
            yield piece
