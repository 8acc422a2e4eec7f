"""The sandbox: its outbox, its clock and its phones (C-39). No key; loopback names only (C-4, C-65)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from aiohttp import web

from ....domain.errors import FieldProblem, ValidationFailedError
from ...sandbox.controls import Sandbox
from ...sandbox.requests import AdvanceRequest, SandboxReceipt, sandbox_inbound
from ...sandbox.shown_outbox import shown_in_outbox
from ...wire.codec import encode, wire_time
from ...wire.typed_requests import channel_named
from ..answers import Answer
from ..request_ids import request_id_of, settle_request_id
from ..requests import body_as, json_read
from ..route import SANDBOX, About, Route


async def outbox(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Show what was sent, the newest last, codes included."""
    query = request.query
    # An empty filter narrows nothing (D-114).
    kept = sandbox.provider.snapshot()

    def shown() -> bytes:
        messages = kept.shown(
            query.get("destination") or None,
            channel_named(query.get("channel", "")) or None,
            query.get("after"),
        )
        return encode({"data": [shown_in_outbox(message) for message in messages]})

    # All of a full outbox would hold up the event loop (C-94).
    return Answer(200, await asyncio.to_thread(shown)).response(request_id_of(request))


async def clear(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Empty the outbox."""
    sandbox.provider.clear()
    return Answer(200, encode({"data": []})).response(request_id_of(request))


async def advance(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Move the clock on, and do what falls due."""
    wanted = await body_as(request, AdvanceRequest)
    now = await sandbox.advance(timedelta(seconds=wanted.seconds))
    return Answer(200, encode({"now": wire_time(now)})).response(request_id_of(request))


async def receipt(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Report on a message, or on what a provider knows by an id."""
    posted = await body_as(request, SandboxReceipt)
    request_id = request_id_of(request)
    status = posted.status.receipt_status
    if posted.message_id is not None and posted.provider_message_id is None:
        await sandbox.phones.report_on_message(
            posted.message_id, status, posted.error_code, request_id
        )
    elif posted.provider_message_id is not None and posted.message_id is None:
        await sandbox.phones.report(
            posted.provider_message_id, status, posted.error_code, request_id
        )
    else:
        rule = "give either providerMessageId or messageId"
        raise ValidationFailedError(
            FieldProblem(name, rule) for name in ("provider_message_id", "message_id")
        )
    return Answer(200, encode({"status": "success"})).response(request_id)


async def inbound(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Write to an account."""
    _, wrote = await json_read(request, sandbox_inbound)
    request_id = settle_request_id(request, (wrote.sender,))
    message_id = await sandbox.phones.write(
        wrote.channel, wrote.sender, wrote.recipient, wrote.text, request_id
    )
    body = {"status": "success", "messageId": message_id}
    return Answer(200, encode(body)).response(request_id)


def sandbox_routes(prefix: str) -> tuple[Route, ...]:
    """Return the routes under one of the sandbox's prefixes (D-8)."""
    filters = ("destination", "channel", "after")
    return (
        Route("GET", f"{prefix}/outbox", outbox, SANDBOX, About.STORE, filters),
        Route("DELETE", f"{prefix}/outbox", clear, SANDBOX, About.STORE),
        Route("POST", f"{prefix}/clock/advance", advance, SANDBOX, About.STORE),
        Route("POST", f"{prefix}/receipts", receipt, SANDBOX, About.STORE),
        Route("POST", f"{prefix}/inbound", inbound, SANDBOX, About.STORE, names_people=True),
    )
