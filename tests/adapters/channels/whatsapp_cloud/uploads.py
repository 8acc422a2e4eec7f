"""
The uploads of an app, as Meta's Resumable Upload API takes them.

Its two requests were read in Meta's guide to uploads in November 2026.
"""

from __future__ import annotations

import base64

from aiohttp import web
from attrs import define, field

_TYPES = ("application/pdf", "image/jpeg", "image/jpg", "image/png", "video/mp4")


@define
class Uploads:
    """Keeps the files that it took, by their handles; `errors` are answered first, each once."""

    app_id: str
    token: str
    taken: dict[str, bytes] = field(factory=dict)
    begun: dict[str, int] = field(factory=dict)
    errors: list[web.Response] = field(factory=list)

    async def begin(self, request: web.Request) -> web.Response:
        """Begin a session."""
        if self.errors:
            return self.errors.pop(0)
        asked = request.query
        if (
            request.headers.get("Authorization") != f"Bearer {self.token}"
            or request.match_info["id"] != self.app_id
            or asked["file_type"] not in _TYPES
            or not asked["file_name"]
        ):
            return web.json_response({"error": {"code": 100, "message": "No."}}, status=400)
        number = f"1:attachment:{len(self.begun)}?file_length={asked['file_length']}"
        session = f"{base64.b64encode(number.encode()).decode()}?sig=ARZq/kGCA+uQMxC8nHKI%3D"
        self.begun[session] = int(asked["file_length"])
        return web.json_response({"id": f"upload:{session}"})

    async def take(self, request: web.Request) -> web.Response:
        """Take the bytes of a session, with the signature as it was given."""
        if self.errors:
            return self.errors.pop(0)
        session = request.raw_path.partition("/upload:")[2]
        content = await request.read()
        if (
            request.headers.get("Authorization") != f"OAuth {self.token}"
            or request.headers.get("file_offset") != "0"
            or self.begun.get(session) != len(content)
        ):
            return web.json_response({"error": {"code": 100, "message": "No."}}, status=400)
        handle = f"4::aW{len(self.taken)}:ARZ"
        self.taken[handle] = content
        return web.json_response({"h": handle})
