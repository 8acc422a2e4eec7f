"""
The templates of a WhatsApp business account, as Meta's Graph API keeps them.

The members, limits and errors below were read in Meta's pages on template components, on authentication
templates and on the management of templates, in November 2026.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from aiohttp import web
from attrs import define, field

_MEMBERS = {
    "BODY": {"text", "example", "add_security_recommendation"},
    "FOOTER": {"text", "code_expiration_minutes"},
    "BUTTONS": {"buttons"},
    "CAROUSEL": {"cards"},
}
_BUTTONS = {
    "QUICK_REPLY": {"text"},
    "URL": {"text", "url", "example"},
    "PHONE_NUMBER": {"text", "phone_number"},
    "COPY_CODE": {"example"},
    "OTP": {"otp_type", "text", "autofill_text", "supported_apps"},
}
_MEDIA = ("IMAGE", "VIDEO", "DOCUMENT")


@define
class BusinessAccount:
    """
    Keeps the templates that it took, with their `status`.

    `taken` are the bodies of creates; `asked` are the queries of lists. `errors` are answered first, each
    once: by a create, or by a list. A template in `hidden` exists and is not listed.
    A create is taken, which sets `took`, and answered once it `may_answer`.
    """

    id: str
    token: str
    templates: dict[tuple[str, str], dict[str, Any]] = field(factory=dict)
    taken: list[Mapping[str, Any]] = field(factory=list)
    asked: list[Mapping[str, str]] = field(factory=list)
    create_errors: list[web.Response] = field(factory=list)
    list_errors: list[web.Response] = field(factory=list)
    hidden: set[str] = field(factory=set)
    status: str = "PENDING"
    took: asyncio.Event = field(factory=asyncio.Event)
    may_answer: asyncio.Event = field(factory=asyncio.Event)

    def __attrs_post_init__(self) -> None:
        """Answer at once, until a test clears it."""
        self.may_answer.set()

    def add(self, name: str, language: str, status: str, **more: Any) -> None:
        """Have a template, as one that was made in Meta's own manager."""
        self.templates[name, language] = {
            "id": str(594_425_479_261_596 + len(self.templates)),
            "name": name,
            "language": language,
            "status": status,
            "category": "UTILITY",
            "rejected_reason": "NONE",
            **more,
        }

    async def create(self, request: web.Request) -> web.Response:
        """Take a template, or refuse it."""
        if (refused := self._refused(request, self.create_errors)) is not None:
            return refused
        body = json.loads(await request.read())
        if wrong := [*problems(body)]:
            return refusal(100, "Invalid parameter", str(wrong))
        names = body["name"], body["language"]
        if names in self.templates:
            words = "There is already content in this language for this template."
            return refusal(100, "Invalid parameter", words, 2388024)
        self.taken.append(body)
        self.add(*names, self.status, category=body["category"])
        made = self.templates[names]
        self.took.set()
        await self.may_answer.wait()
        return web.json_response({each: made[each] for each in ("id", "status", "category")})

    async def listed(self, request: web.Request) -> web.Response:
        """List templates whose name contains the one asked for, two on a page."""
        self.asked.append(request.query)
        if (refused := self._refused(request, self.list_errors)) is not None:
            return refused
        asked = request.query.get("name", "")
        found = [
            each
            for each in self.templates.values()
            if asked in each["name"] and each["name"] not in self.hidden
        ]
        begin, most = int(request.query.get("after", "0")), min(int(request.query["limit"]), 2)
        members = request.query["fields"].split(",")
        page = [{name: each[name] for name in members} for each in found[begin : begin + most]]
        answer: dict[str, Any] = {"data": page}
        if page:
            answer["paging"] = {"cursors": {"before": str(begin), "after": str(begin + most)}}
        if begin + most < len(found):
            # Nobody is to follow this address: the token would go there.
            answer["paging"]["next"] = "http://169.254.169.254/elsewhere"
        return web.json_response(answer)

    def _refused(self, request: web.Request, errors: list[web.Response]) -> web.Response | None:
        if errors:
            return errors.pop(0)
        if request.headers.get("Authorization") != f"Bearer {self.token}":
            return refusal(190, "Malformed access token", status=401)
        if request.match_info["id"] != self.id:
            return refusal(100, "Unsupported request. Object does not exist.", subcode=33)
        return None


def refusal(
    code: int, message: str, words: str | None = None, subcode: int | None = None, status: int = 400
) -> web.Response:
    """Return an error in the form that Meta's management of templates has."""
    error: dict[str, Any] = {"message": message, "type": "OAuthException", "code": code}
    if subcode is not None:
        error["error_subcode"] = subcode
    if words is not None:
        error |= {"error_user_title": "The template was not created", "error_user_msg": words}
    return web.json_response({"error": error}, status=status)


def problems(body: Any) -> Iterator[str]:
    """Yield what Meta's reference of a template does not have."""
    if body.keys() - {"parameter_format"} != {"name", "language", "category", "components"}:
        yield f"members {body.keys()}"
    if not re.fullmatch("[a-z0-9_]{1,512}", body["name"]):
        yield f"name {body['name']}"
    if body["category"] not in ("AUTHENTICATION", "UTILITY", "MARKETING"):
        yield f"category {body['category']}"
    is_code = body["category"] == "AUTHENTICATION"
    for each in body["components"]:
        yield from _component(each, is_code=is_code)


def _component(said: Mapping[str, Any], *, is_code: bool) -> Iterator[str]:
    kind, members = said.get("type"), said.keys() - {"type"}
    if kind == "HEADER":
        yield from _header(said)
    elif members - _MEMBERS.get(str(kind), set()) or (not members and not is_code):
        yield f"{kind} {members}"
    elif kind == "BODY" and is_code != ("text" not in said):
        yield f"a body of {said.keys()}"
    elif kind == "BODY" and not is_code:
        yield from _example(said["text"], said.get("example"), "body_text")
    elif kind == "FOOTER" and is_code != ("code_expiration_minutes" in said):
        yield f"a footer of {said.keys()}"
    for each in said.get("buttons", ()):
        yield from _button(each)
    for card in said.get("cards", ()):
        for each in card["components"]:
            yield from _component(each, is_code=False)


def _header(said: Mapping[str, Any]) -> Iterator[str]:
    kind = said.get("format")
    if kind == "TEXT":
        yield from _example(said["text"], said.get("example"), "header_text")
    elif kind in _MEDIA:
        example = said.get("example", {"header_handle": ["4::aW"]})
        handles = example.get("header_handle", ())
        if len(handles) != 1 or not re.fullmatch(r"[^_\s].*", handles[0]) or "med_" in handles[0]:
            yield f"header_handle {handles}"
    elif kind != "LOCATION" or said.keys() != {"type", "format"}:
        yield f"header {said}"


def _example(text: str, example: Any, name: str) -> Iterator[str]:
    wanted = len({*re.findall(r"\{\{(\d+)\}\}", text)})
    if example is None:
        return
    values = example[name][0] if name == "body_text" else example[name]
    if example.keys() != {name} or len(values) != wanted:
        yield f"example {example} of {text}"


def _button(said: Mapping[str, Any]) -> Iterator[str]:
    kind, members = said.get("type"), said.keys() - {"type"}
    if members - _BUTTONS.get(str(kind), set()):
        yield f"button {kind} {members}"
    if kind == "COPY_CODE" and not isinstance(said.get("example", ""), str):
        yield f"example {said['example']}"
    if kind == "URL" and not isinstance(said.get("example", []), list):
        yield f"example {said['example']}"
    if kind == "OTP" and said.get("otp_type") not in ("COPY_CODE", "ONE_TAP"):
        yield f"otp_type {said.get('otp_type')}"
