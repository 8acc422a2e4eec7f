"""An SMS gateway with an API of its own, for the provider `http`: it shows every message at once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from aiohttp import web
from attrs import define, field

from tests.entrypoints.networks.phones import Phones
from tests.entrypoints.networks.serving import serving_at

TOKEN = "gateway-token"


@define
class SmsGateway:
    """Takes SMS at `url`; `taken` has their documents in order."""

    phones: Phones
    url: str = ""
    taken: list[dict[str, Any]] = field(factory=list)
    _numbers: Any = field(factory=lambda: count(1))

    @property
    def config(self) -> Mapping[str, Any]:
        """The settings that an operator enters for it."""
        return {
            "method": "POST",
            "url": f"{self.url}/messages",
            "auth": {"bearer": TOKEN},
            "body": {"to": "{{destination}}", "text": "{{text}}", "call": "{{callback_url}}"},
            "accepted": {"idPath": "id"},
            "receipt": {
                "idPath": "id",
                "statusPath": "state",
                "statuses": {each: each for each in ("sent", "delivered", "read", "failed")},
            },
            "inbound": {"senderPath": "from", "recipientPath": "to", "textPath": "said"},
        }

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Take a message, and show it."""
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.json_response({"error": "who are you?"}, status=401)
        message = json.loads(await request.read())
        message["id"] = f"sms-{next(self._numbers)}"
        self.taken.append(message)
        self.phones.show(message["to"], "sms")
        return web.json_response({"id": message["id"]})


@asynccontextmanager
async def sms_gateway(phones: Phones) -> AsyncIterator[SmsGateway]:
    """Run a gateway."""
    gateway = SmsGateway(phones)
    async with serving_at(gateway.answer) as gateway.url:
        yield gateway
