"""Files on the line: the range that is asked for, in pieces, and only while the client takes them."""

from __future__ import annotations

import asyncio

from aiohttp import hdrs, web

from ....application.ports.media_files import MediaFilesUnavailable, StoredFile
from .patience import PATIENCE

_PIECE = 64 * 1024


def asked_range(request: web.Request, tag: str, size: int) -> tuple[int, int] | None:
    """Return the bytes that are asked for, from and up to; none of them where there are none."""
    if request.headers.get(hdrs.IF_RANGE, tag) != tag:
        return None
    try:
        asked = request.http_range
    except ValueError:
        # What nobody understands, several ranges among it, is not asked for.
        return None
    if asked.start is None:
        return None
    if asked.start < 0:
        return max(0, size + asked.start), size
    if asked.start >= size:
        return 0, 0
    return asked.start, min(size, asked.stop if asked.stop is not None else size)


async def send_file(
    request: web.Request, response: web.StreamResponse, file: StoredFile, first: int, end: int
) -> None:
    """
    Send the bytes of a file from `first` to `end`.

    Raises `ConnectionResetError` where the client is too slow, or the file cannot be read to its end.
    """
    patience, loop = request.app[PATIENCE], asyncio.get_running_loop()
    waited = 0.0
    for at in range(first, end, _PIECE):
        try:
            piece = await file.read(at, min(_PIECE, end - at))
        except MediaFilesUnavailable:
            piece = b""
        if not piece:
            # The head has promised more: only an end in the middle says that it does not come.
            raise ConnectionResetError("The file cannot be read to its end.")
        began = loop.time()
        try:
            async with asyncio.timeout_at(began - waited + patience.file_due(at - first)):
                await response.write(piece)
        except TimeoutError:
            raise ConnectionResetError("The client takes too long.") from None
        waited += loop.time() - began
