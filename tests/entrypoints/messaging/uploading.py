"""Upload files as API clients do (SPEC 4 A3)."""

from __future__ import annotations

from aiohttp import FormData

from tests.entrypoints.caller import Caller


async def uploaded(caller: Caller) -> str:
    """Upload a picture, and return its id."""
    form = FormData({"senderProfileName": "Watchword", "message_type": "promotional"})
    form.add_field("file", b"\x89PNG\r\n\x1a\n", filename="tea.png", content_type="image/png")
    url = caller.endpoint.make_url("/rcs/mediaupload")
    headers = {"apikey": str(caller.key)}
    async with caller.session.post(url, data=form, headers=headers) as response:
        answer = await response.json()
    assert 200 == response.status, answer
    return str(answer["id"])
