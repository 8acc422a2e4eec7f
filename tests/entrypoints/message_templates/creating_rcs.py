"""RCS templates created, reviewed and fetched over HTTP, with forms written by hand."""

from __future__ import annotations

import json
from typing import Any

from attrs import frozen

from tests.entrypoints.caller import Caller, Reply

CREATE, FETCH = "/rcs/templates", "/oapi/templates/fetch"
PROFILE = "TeaHouse"
BOUNDARY = "tea-leaves"
AROUND: dict[str, Any] = {
    "sender_profile_name": PROFILE,
    "update_by": "till-1",
    "message_type": "Promotional",
}
TEXT = {"name": "teas", "type": "text_message", "textMessageContent": "The new teas are here."}
QUESTION: dict[str, Any] = {
    "channel": "RCS",
    "senderProfile": PROFILE,
    "messageType": "Promotional",
    "pageNo": 0,
    "limit": 25,
}


@frozen
class Part:
    """One part of a form: a text, or a file if it has a `filename`."""

    name: str
    content: bytes
    filename: str | None = None
    content_type: str | None = None


def text(name: str, content: str) -> Part:
    """Return a field that is no file."""
    return Part(name, content.encode())


def file(filename: str, content: bytes = b"tea", name: str = "multimedia_files") -> Part:
    """Return a file of a template."""
    return Part(name, content, filename, "application/octet-stream")


def texts(data: Any, **around: str) -> list[Part]:
    """Return the texts of a create."""
    fields = {"data": data if isinstance(data, str) else json.dumps(data), **AROUND, **around}
    return [text(name, content) for name, content in fields.items()]


def form(*parts: Part) -> bytes:
    """Write a form."""
    written = b""
    for part in parts:
        filename = "" if part.filename is None else f'; filename="{part.filename}"'
        kind = "" if part.content_type is None else f"\r\nContent-Type: {part.content_type}"
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{part.name}"{filename}{kind}'
        written += head.encode() + b"\r\n\r\n" + part.content + b"\r\n"
    return written + f"--{BOUNDARY}--\r\n".encode()


async def create(caller: Caller, *parts: Part, content_type: str | None = None) -> Reply:
    """A1 with these parts, under the caller's key."""
    kind = content_type or f"multipart/form-data; boundary={BOUNDARY}"
    headers = {"Content-Type": kind, "apikey": str(caller.key)}
    return await caller.using(None).post(CREATE, data=form(*parts), headers=headers)


async def created(caller: Caller, data: Any, *files: Part, **around: str) -> dict[str, Any]:
    """Call A1 with success, and return the record."""
    reply = await create(caller, *texts(data, **around), *files)
    assert (200, "success") == (reply.status, reply.json.get("status")), reply.body
    return dict(reply.json["data"])


async def fetch(caller: Caller, path: str = FETCH, /, **changes: Any) -> Reply:
    """Call A2 with the usual question and these changes; a member that is None is left out."""
    asked = {name: value for name, value in {**QUESTION, **changes}.items() if value is not None}
    return await caller.using(None).post(path, asked, headers={"apikey": str(caller.key)})


async def fetched(caller: Caller, **changes: Any) -> list[dict[str, Any]]:
    """Call A2 with success, and return the records."""
    reply = await fetch(caller, **changes)
    assert 200 == reply.status, reply.body
    return list(reply.json["data"])


async def review(caller: Caller, word: str, name: str = "teas", **body: Any) -> Reply:
    """Submit, approve or reject, as the operator."""
    return await caller.operate("POST", f"/rcs-templates/{name}/{word}", body)
