"""
A server on loopback that takes sends as Meta's Graph API does, and refuses what its documents do not have.

The members and limits below were read in Meta's "Messages API" reference, its pages on each type of message,
and its page of error codes, in November 2026.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from aiohttp import web
from attrs import define, field

from tests.adapters.channels.whatsapp_cloud.business_account import BusinessAccount
from tests.adapters.channels.whatsapp_cloud.uploads import Uploads
from watchword.application.ports.channels import Message
from watchword.domain.channel import Channel
from watchword.testing import a_message

PHONE_NUMBER_ID, BUSINESS_ACCOUNT_ID, APP_ID = (
    "106540352242922",
    "102290129340398",
    "670843887433847",
)
TOKEN = "EAAJB-orchid-7"
CONFIG = {
    "phoneNumberId": PHONE_NUMBER_ID,
    "accessToken": TOKEN,
    "appSecret": "f4a1-app-secret",
    "verifyToken": "v3rify-me",
    "businessAccountId": BUSINESS_ACCOUNT_ID,
    "appId": APP_ID,
}
# A number that Meta says is not on WhatsApp.
NOT_ON_WHATSAPP = "+15005550001"
MEDIA = ("audio", "document", "image", "video")
_FIELDS = frozenset(
    {
        *("messaging_product", "recipient_type", "to", "recipient", "type", "context"),
        "biz_opaque_callback_data",
    }
)
_MEDIUM = {
    "audio": {"id", "link", "voice"},
    "document": {"id", "link", "caption", "filename"},
    "image": {"id", "link", "caption"},
    "video": {"id", "link", "caption"},
}
_INTERACTIVE = {
    "button": {"buttons"},
    "list": {"button", "sections"},
    "cta_url": {"name", "parameters"},
    "location_request_message": {"name"},
}
_PARAMETERS = {
    "text": "text",
    "currency": "currency",
    "date_time": "date_time",
    "payload": "payload",
    "coupon_code": "coupon_code",
    "location": "location",
    **{kind: kind for kind in ("image", "video", "document")},
}


@define
class GraphServer:
    """
    Keeps the sends that it took, and the ids that it gave them, in their order.

    `errors` are answered first, each once. `templates` has the number of body parameters and of
    buttons with a value, by name and language.
    """

    url: str = ""
    taken: list[Mapping[str, Any]] = field(factory=list)
    issued: list[str] = field(factory=list)
    requests: list[tuple[str, str]] = field(factory=list)
    errors: list[tuple[int, Mapping[str, Any] | bytes]] = field(factory=list)
    templates: dict[tuple[str, str], tuple[int, int]] = field(
        factory=lambda: {("hello_world", "en_US"): (0, 0)}
    )
    message_status: str | None = None
    uploads: Uploads = field(factory=lambda: Uploads(APP_ID, TOKEN))
    business: BusinessAccount = field(factory=lambda: BusinessAccount(BUSINESS_ACCOUNT_ID, TOKEN))
    _numbers: Iterator[int] = field(factory=count)

    @property
    def config(self) -> Mapping[str, Any]:
        """The config of a channel account whose API this is."""
        return {**CONFIG, "baseUrl": self.url}

    async def send(self, request: web.Request) -> web.Response:
        """Take a message, or refuse it."""
        self.requests.append((request.method, request.path))
        if (refused := self._refused(request)) is not None:
            return refused
        try:
            body = json.loads(await request.read())
        except ValueError:
            return error(400, 100, "Invalid JSON")
        if request.content_type != "application/json":
            return error(400, 100, f"content type {request.content_type}")
        if wrong := [*problems(body)]:
            return error(400, 131009, f"Parameter value is not valid: {wrong}")
        if body["to"] == NOT_ON_WHATSAPP:
            return error(400, 131026, "Message undeliverable")
        if body["type"] == "template" and (refused := self._unfit(body["template"])) is not None:
            return refused
        self.taken.append(body)
        digits = body["to"].lstrip("+")
        self.issued.append(f"wamid.HBgL{digits}AgARGBI{next(self._numbers):08X}AA==")
        message: dict[str, Any] = {"id": self.issued[-1]}
        if self.message_status is not None:
            message["message_status"] = self.message_status
        contacts = [{"input": body["to"], "wa_id": digits}]
        answer = {"messaging_product": "whatsapp", "contacts": contacts, "messages": [message]}
        return web.json_response(answer)

    async def describe(self, request: web.Request) -> web.Response:
        """Describe the phone number."""
        self.requests.append((request.method, request.path_qs))
        if (refused := self._refused(request)) is not None:
            return refused
        return web.json_response(
            {
                "display_phone_number": "+1 555-078-3881",
                "verified_name": "Acme Orchids",
                "quality_rating": "GREEN",
                "id": PHONE_NUMBER_ID,
            }
        )

    def _refused(self, request: web.Request) -> web.Response | None:
        if self.errors:
            status, said = self.errors.pop(0)
            body = said if isinstance(said, bytes) else json.dumps(said).encode()
            return web.Response(status=status, body=body, content_type="application/json")
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return error(401, 190, f"Malformed access token {request.headers.get('Authorization')}")
        if not re.fullmatch(r"v[0-9]{2}\.0", request.match_info["version"]):
            return error(400, 2500, "Unknown path components")
        if request.match_info["id"] != PHONE_NUMBER_ID:
            words = "Unsupported request. Object does not exist, or missing permissions."
            return error(400, 100, words, subcode=33)
        return None

    def _unfit(self, template: Mapping[str, Any]) -> web.Response | None:
        """Refuse a template that does not exist in its language, or other values than it takes."""
        known = self.templates.get((template["name"], template["language"]["code"]))
        if known is None:
            return error(404, 132001, f"template name ({template['name']}) does not exist")
        components = template.get("components", [])
        values = [
            len(each.get("parameters", ())) for each in components if each["type"].lower() == "body"
        ]
        buttons = [each for each in components if each["type"].lower() == "button"]
        if (sum(values), len(buttons)) != known:
            details = f"{sum(values)} and {len(buttons)} values do not match {known}"
            return error(400, 132000, details)
        return None


def problems(body: Any) -> Iterator[str]:
    """Yield what Meta's reference of a send does not have."""
    kind = body.get("type")
    if body.get("messaging_product") != "whatsapp" or body.get("recipient_type") != "individual":
        yield "messaging_product and recipient_type"
    if not re.fullmatch(r"\+[0-9]{7,15}", body.get("to", "")):
        # Meta takes other spellings, and puts the business's country code before one without a plus.
        yield f"to {body.get('to')}"
    if more := body.keys() - {*_FIELDS, kind}:
        yield f"members {more}"
    if not 1 <= len(body.get("biz_opaque_callback_data", "?")) <= 512:
        yield "biz_opaque_callback_data"
    said = body.get(kind)
    if not isinstance(said, dict):
        yield f"no object {kind}"
    elif kind == "text":
        if said.keys() - {"body", "preview_url"} or not 1 <= len(said.get("body", "")) <= 4_096:
            yield f"text {said.keys()}"
    elif kind in MEDIA:
        yield from _medium(kind, said)
    elif kind == "interactive":
        yield from _interactive(said)
    elif kind == "template":
        yield from _template(said)
    else:
        yield f"type {kind}"


def _medium(kind: str, said: Mapping[str, Any]) -> Iterator[str]:
    if said.keys() - _MEDIUM[kind] or ("id" in said) == ("link" in said):
        yield f"{kind} {said.keys()}"


def _interactive(said: Mapping[str, Any]) -> Iterator[str]:
    kind = said.get("type")
    if said.keys() - {"type", "header", "body", "footer", "action"} or kind not in _INTERACTIVE:
        yield f"interactive {said.keys()}"
    elif said["action"].keys() != _INTERACTIVE[kind]:
        yield f"action {said['action'].keys()}"
    header = said.get("header", {"type": "text", "text": "?"})
    if header.keys() != {"type", header.get("type")}:
        yield f"header {header.keys()}"
    elif header["type"] in MEDIA:
        yield from _medium(header["type"], header[header["type"]])


def _template(said: Mapping[str, Any]) -> Iterator[str]:
    if said.keys() - {"name", "language", "components"} or not said.get("name"):
        yield f"template {said.keys()}"
    code = said.get("language", {}).get("code", "")
    if not re.fullmatch(r"[a-z]{2,3}(_[A-Z]{2,3})?", code):
        yield f"language {code}"
    for each in said.get("components", ()):
        yield from _component(each)


def _component(said: Mapping[str, Any]) -> Iterator[str]:
    kind = said.get("type", "").lower()
    if kind not in ("header", "body", "button", "carousel"):
        yield f"component {kind}"
    is_button = kind == "button"
    if is_button != ("sub_type" in said) or is_button != ("index" in said):
        yield f"{kind} {said.keys()}"
    if is_button and not re.fullmatch("[0-9]", str(said.get("index"))):
        yield f"index {said.get('index')}"
    for each in said.get("parameters", ()):
        if each.get("type") not in _PARAMETERS or _PARAMETERS[each["type"]] not in each:
            yield f"parameter {each.get('type')}"
        elif each["type"] == "text" and not each["text"]:
            yield "an empty text"


def error(status: int, code: int, details: str, *, subcode: int | None = None) -> web.Response:
    """Return an answer with Meta's error object."""
    return web.json_response(error_body(code, details, subcode=subcode), status=status)


def error_body(code: int, details: str = "", *, subcode: int | None = None) -> dict[str, Any]:
    """Return an error as Meta writes it."""
    said: dict[str, Any] = {
        "message": f"(#{code}) {details or 'Something'}",
        "type": "OAuthException",
        "code": code,
        "error_data": {"messaging_product": "whatsapp", "details": details},
        "fbtrace_id": "Az8or2yhqkZfEZ-_4Qn_Bam",
    }
    if subcode is not None:
        said["error_subcode"] = subcode
    return {"error": said}


@asynccontextmanager
async def graph_server() -> AsyncIterator[GraphServer]:
    """Serve on a port that the system chooses."""
    graph = GraphServer()
    app = web.Application(client_max_size=2**25)
    app.router.add_post("/{version}/{id}/messages", graph.send)
    app.router.add_get("/{version}/{id}", graph.describe)
    app.router.add_post("/{version}/{id}/uploads", graph.uploads.begin)
    app.router.add_post("/{version}/{session:upload:.+}", graph.uploads.take)
    app.router.add_post("/{version}/{id}/message_templates", graph.business.create)
    app.router.add_get("/{version}/{id}/message_templates", graph.business.listed)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    graph.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield graph
    finally:
        async with asyncio.timeout(5):
            await runner.cleanup()


def a_whatsapp_message(number: int = 1, **changes: Any) -> Message:
    """Return the n-th message of a test."""
    return a_message(number, channel=Channel.WHATSAPP, **changes)
