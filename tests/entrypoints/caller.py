"""A client of the endpoint that speaks in sentences: `await caller.create(...)`, `await caller.codes()`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Protocol

from aiohttp import ClientResponse, ClientSession
from attrs import evolve, field, frozen
from yarl import URL

from watchword.entrypoints.demo.seeding import API_KEY, TEMPLATE_ID
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

DESTINATION = "+919812345610"
UNHURRIED = {"verifyPinLimit": "1000/1s"}
_CODE = re.compile(r"\b[0-9A-Z]{4,10}\b")


@frozen
class Reply:
    """An answer, read to its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    @property
    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        """Return an error, in the envelope or in the messaging form, without the request's id."""
        held: dict[str, Any] = self.json.get("error", self.json)
        assert self.headers["X-Request-Id"] == held["requestId"]
        return {name: value for name, value in held.items() if name != "requestId"}

    @property
    def refusal(self) -> tuple[int, str]:
        """The status and code of a refusal."""
        return self.status, self.error["code"]

    @property
    def wrong(self) -> list[str]:
        """The fields that a 400 names."""
        assert (400, "validation_failed") == self.refusal
        error = self.error
        fields = error["details"]["fields"] if "details" in error else error["errors"]
        return [each["field"] for each in fields]


class Endpoint(Protocol):
    """The address of a server."""

    def make_url(self, path: str) -> URL:
        """Return the absolute address of a path."""
        ...


@frozen
class Caller:
    """One API key's holder; also the operator and, by the outbox, the recipient."""

    session: ClientSession
    endpoint: Endpoint
    key: str | None = API_KEY
    template: str = TEMPLATE_ID

    def using(self, key: str | None) -> Caller:
        """Return the same client with another key."""
        return evolve(self, key=key)

    def under(self, template: str) -> Caller:
        """Return the same client, sending under another template."""
        return evolve(self, template=template)

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        data: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Reply:
        """Send a request: `body` as JSON, or `data` as it is."""
        sent = {} if self.key is None else {"Authorization": f"Bearer {self.key}"}
        if body is not None:
            data = json.dumps(body).encode()
        if data is not None:
            sent["Content-Type"] = "application/json"
        sent |= headers or {}
        url = self.endpoint.make_url(path)
        # A whole MiB goes out in pieces, as aiohttp asks for.
        content = BytesIO(data) if data is not None and len(data) > 2**16 else data
        async with self.session.request(method, url, data=content, headers=sent) as response:
            return await _read(response)

    async def post(self, path: str, body: Any = None, **options: Any) -> Reply:
        """Send a POST."""
        return await self.ask("POST", path, body, **options)

    async def get(self, path: str, **options: Any) -> Reply:
        """Send a GET."""
        return await self.ask("GET", path, **options)

    async def create(
        self, destination: str = DESTINATION, *, once: str | None = None, **more: Any
    ) -> Reply:
        """D1; `once` is an Idempotency-Key."""
        body = {"destination": destination, "templateId": self.template, **more}
        return await self.post("/v1/pins", body, headers=_once(once))

    async def created(self, destination: str = DESTINATION, **more: Any) -> str:
        """Call D1 with success, and return the pinId."""
        reply = await self.create(destination, **more)
        assert 201 == reply.status, reply.body
        return str(reply.json["pinId"])

    async def resend(self, pin_id: str, *, once: str | None = None, **body: Any) -> Reply:
        """D2."""
        return await self.post(f"/v1/pins/{pin_id}/resend", body, headers=_once(once))

    async def verify(self, pin_id: str, code: str) -> Reply:
        """D3."""
        return await self.post(f"/v1/pins/{pin_id}/verify", {"pin": code})

    async def send(
        self, *, once: str | None = None, path: str = "/oapi/send_sms", **body: Any
    ) -> Reply:
        """B1; the key goes in the header of the messaging endpoints."""
        key = {} if self.key is None else {"apikey": self.key}
        return await self.using(None).post(path, body, headers=key | _once(once))

    async def sent(self, **body: Any) -> Any:
        """Call B1 with success, and return the answer."""
        reply = await self.send(**body)
        assert 200 == reply.status, reply.body
        return reply.json

    async def standing(self, message_id: str) -> dict[str, Any]:
        """Return the status of a message."""
        key = {"apikey": str(self.key)}
        asked = {"messageIds": [message_id]}
        reply = await self.using(None).post("/status", asked, headers=key)
        return dict(reply.json["data"][0])

    async def history(self) -> list[dict[str, Any]]:
        """The account's messages, both ways, the newest first."""
        key = {"apikey": str(self.key)}
        reply = await self.using(None).get("/history", headers=key)
        return list(reply.json["data"])

    async def templates(self, query: str = "") -> Reply:
        """D4."""
        return await self.get(f"/v1/templates?{query}")

    async def operate(self, method: str, path: str, body: Any = None) -> Reply:
        """Ask for something under `/admin/v1`, with the operator's token."""
        return await self.using(SANDBOX_ADMIN_TOKEN).ask(method, f"/admin/v1{path}", body)

    async def operated(self, method: str, path: str, body: Any = None) -> Any:
        """Operate, with success."""
        reply = await self.operate(method, path, body)
        assert reply.status in (200, 201), reply.body
        return reply.json

    async def with_template(self, *channels: dict[str, Any], **limits: Any) -> Caller:
        """Create a template of the demo account and send under it; an SMS template by default."""
        body = {"name": "tea house", "channels": channels or ({"channelType": "sms"},), **limits}
        record = await self.operated("POST", "/pin-templates", body)
        return self.under(record["id"])

    async def neighbour(self, name: str = "neighbour", **limits: Any) -> Caller:
        """Create another account with a sandbox channel, a template and a key, and be it."""
        account = (await self.operated("POST", "/accounts", {"name": name}))["id"]
        theirs = {"account": account, "name": name}
        sms = {"channelType": "sms", "provider": "sandbox", "config": {}}
        await self.operated("POST", "/channel-accounts", {**theirs, **sms})
        channels = [{"channelType": "sms"}]
        template = await self.operated(
            "POST", "/pin-templates", {**theirs, "channels": channels, **limits}
        )
        made = await self.operated("POST", "/api-keys", theirs)
        return self.using(made["key"]).under(template["id"])

    async def rejecting_whatsapp(self) -> dict[str, Any]:
        """Set up a WhatsApp account that rejects everything, and return a template's entry for it."""
        config = {"outcome": "rejected"}
        return await self.channel("whatsapp", config)

    async def channel(
        self, channel_type: str, config: dict[str, Any], provider: str = "sandbox"
    ) -> dict[str, Any]:
        """Set up a channel account, and return a template's entry for it."""
        body = {"name": "mood", "channelType": channel_type, "provider": provider}
        made = await self.operated("POST", "/channel-accounts", {**body, "config": config})
        return {"channelType": channel_type, "channelAccountId": made["id"]}

    async def outbox(self, query: str = "") -> list[dict[str, Any]]:
        """Return the messages on the recipients' phones."""
        listed: list[dict[str, Any]] = (await self.get(f"/sandbox/outbox?{query}")).json["data"]
        return listed

    async def codes(self, destination: str = DESTINATION) -> list[str]:
        """The codes that a recipient got, the newest last."""
        sent = [each for each in await self.outbox() if each["destination"] == destination]
        return [code_in(each["text"]) for each in sent]

    async def code(self, destination: str = DESTINATION) -> str:
        """The code that a recipient got last."""
        return (await self.codes(destination))[-1]

    async def wrong_code(self, destination: str = DESTINATION) -> str:
        """A code that differs from the one that the recipient got last."""
        right = await self.code(destination)
        return right[:-1] + ("2" if right[-1] != "2" else "3")

    async def advance(self, seconds: int) -> None:
        """Let time go by."""
        reply = await self.post("/sandbox/clock/advance", {"seconds": seconds})
        assert 200 == reply.status, reply.body

    async def events(self, stream: str) -> list[dict[str, Any]]:
        """The history of one stream."""
        reply = await self.operated("GET", f"/streams/{stream}/events")
        return list(reply["data"])

    async def story(self, stream: str) -> list[str]:
        """Return the names of a stream's events, in order."""
        return [each["type"] for each in await self.events(stream)]

    async def recorded(self) -> int:
        """Return the number of events, without the last uses of keys."""
        log = (await self.operated("GET", "/events?limit=1000"))["data"]
        return sum(each["type"] != "ApiKeyUsed" for each in log)


def code_in(text: str) -> str:
    """Read the code out of a message in the default wording."""
    found = _CODE.search(text)
    assert found is not None, text
    return found[0]


def _once(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Idempotency-Key": key}


async def _read(response: ClientResponse) -> Reply:
    return Reply(response.status, response.headers, await response.read())
