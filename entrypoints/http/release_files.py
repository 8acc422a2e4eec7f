"""Files of the release that pages load, from memory."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from aiohttp import web
from aiohttp.hdrs import CONTENT_TYPE, ETAG, IF_NONE_MATCH

from .listener.json_response import REQUEST_ID
from .request_ids import request_id_of

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def release_file(request: web.Request, path: Path, headers: Mapping[str, str]) -> web.Response:
    """Answer with a file, or with 304 to a client that has it already."""
    # From memory: aiohttp's answer out of a file says some refusals itself, past the edge.
    content, etag = _content(path)
    all_headers = {
        **headers,
        CONTENT_TYPE: _TYPES[path.suffix],
        ETAG: etag,
        REQUEST_ID: request_id_of(request),
    }
    if request.headers.get(IF_NONE_MATCH) == etag:
        return web.Response(status=304, headers=all_headers)
    return web.Response(body=content, headers=all_headers)


@cache
def _content(path: Path) -> tuple[bytes, str]:
    """Read a file of the release, and name what is in it, once."""
    content = path.read_bytes()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'
