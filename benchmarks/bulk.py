"""A call with many recipients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aiohttp import ClientSession

from watchword.entrypoints.demo.seeding import API_KEY

_PARAMETERS = [{"type": "text", "text": text} for text in ("Asha", "tea")]


async def send_to(session: ClientSession, numbers: Sequence[str]) -> None:
    """Send a template of the sandbox to all numbers in one call, and read the answer."""
    components = [{"type": "body", "parameters": _PARAMETERS}]
    template = {"name": "demo", "language": {"code": "en"}, "components": components}
    entry: dict[str, Any] = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "sender": "+15550100",
        "recipient": list(numbers),
        "type": "template",
        "template": template,
    }
    headers = {"apikey": API_KEY}
    async with session.post("/oapi/send_sms", json={"wa": [entry]}, headers=headers) as answer:
        await answer.read()
