"""The sandbox: its outbox and its clock (C-39). No key; loopback names only (C-4, C-65)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from aiohttp import web
from attrs import field, frozen

from ....adapters.channels.sandbox_outbox import FilledRcsTemplate, SandboxMessage
from ....domain.limits import FromTo
from ....domain.rate_limit import LONGEST_DURATION
from ...sandbox.controls import Sandbox
from ...wire.codec import encode, unstructure, wire_time
from ...wire.typed_requests import channel_named
from ..answers import Answer
from ..edge import request_id_of
from ..requests import body_as
from ..route import SANDBOX, About, Route

_OPTIONAL = ("subject", "messageId")


@frozen
class AdvanceRequest:
    """How far to move the clock on."""

    seconds: int = field(validator=FromTo(1, int(LONGEST_DURATION.total_seconds())))


async def outbox(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Show what was sent, the newest last, codes included."""
    query = request.query
    # An empty filter narrows nothing (D-114).
    messages = sandbox.provider.outbox(
        query.get("destination") or None,
        channel_named(query.get("channel", "")) or None,
        query.get("after"),
    )
    body = {"data": [_shown(message) for message in messages]}
    return Answer(200, encode(body)).response(request_id_of(request))


async def clear(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Empty the outbox."""
    sandbox.provider.clear()
    return Answer(200, encode({"data": []})).response(request_id_of(request))


async def advance(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Move the clock on, and do what falls due."""
    wanted = await body_as(request, AdvanceRequest)
    now = await sandbox.advance(timedelta(seconds=wanted.seconds))
    return Answer(200, encode({"now": wire_time(now)})).response(request_id_of(request))


def _shown(message: SandboxMessage) -> dict[str, Any]:
    shown: dict[str, Any] = unstructure(message)
    if isinstance(message.payload, FilledRcsTemplate):
        shown["payload"]["content"] = _given(shown["payload"]["content"])
    return {
        name: value for name, value in shown.items() if name not in _OPTIONAL or value is not None
    }


def _given(content: Any) -> Any:
    """Leave out what the author of a template did not give, as its fetch does."""
    match content:
        case dict():
            return {name: _given(part) for name, part in content.items() if part is not None}
        case list():
            return [_given(part) for part in content]
        case _:
            return content


def sandbox_routes(prefix: str) -> tuple[Route, ...]:
    """Return the routes under one of the sandbox's prefixes (D-8)."""
    filters = ("destination", "channel", "after")
    return (
        Route("GET", f"{prefix}/outbox", outbox, SANDBOX, About.STORE, filters),
        Route("DELETE", f"{prefix}/outbox", clear, SANDBOX, About.STORE),
        Route("POST", f"{prefix}/clock/advance", advance, SANDBOX, About.STORE),
    )
