"""The sandbox's phones: receipts and inbound messages at will (C-39)."""

from __future__ import annotations

from typing import Any

from aiohttp import web
from attrs import Attribute, field, frozen

from ....adapters.channels.sandbox_posts import VISIBLE_RULE, PostedStatus, visible
from ....domain.channel import Channel
from ....domain.errors import FieldProblem, ValidationFailedError
from ....domain.limits import Characters
from ...messaging.field_limits import a_sender
from ...sandbox.controls import Sandbox
from ...wire.codec import encode
from ...wire.searches import renamed
from ...wire.structuring import structure
from ...wire.typed_requests import channel_named
from ..answers import Answer
from ..edge import request_id_of
from ..requests import body_as, json_read
from ..route import SANDBOX, About, Route

INBOUND = {"channel": "channel", "from": "sender", "to": "recipient", "text": "text"}
_SPELLED = {own: name for name, own in INBOUND.items()}


def a_visible_text(_: object, __: Attribute[Any], value: str | None) -> None:
    """Check that a text can be a provider's id or error code; None is left alone."""
    if value is not None and not visible(value):
        raise ValueError(VISIBLE_RULE)


@frozen(kw_only=True)
class SandboxReceipt:
    """A receipt for what has one of two ids."""

    provider_message_id: str | None = field(default=None, validator=a_visible_text)
    message_id: str | None = None
    status: PostedStatus
    error_code: str | None = field(default=None, validator=a_visible_text)


@frozen(kw_only=True)
class SandboxInbound:
    """A message from a person; `sender` and `recipient` are the wire's `from` and `to`."""

    channel: Channel
    sender: str = field(repr=False, validator=a_sender)
    recipient: str = field(validator=a_sender)
    text: str = field(repr=False, validator=Characters(1, 10_000))


async def receipt(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Report on a message, or on what a provider knows by an id."""
    told = await body_as(request, SandboxReceipt)
    request_id = request_id_of(request)
    status = told.status.told
    if told.message_id is not None and told.provider_message_id is None:
        await sandbox.phones.report_on_message(told.message_id, status, told.error_code, request_id)
    elif told.provider_message_id is not None and told.message_id is None:
        await sandbox.phones.report(told.provider_message_id, status, told.error_code, request_id)
    else:
        rule = "give either providerMessageId or messageId"
        raise ValidationFailedError(
            FieldProblem(name, rule) for name in ("provider_message_id", "message_id")
        )
    return Answer(200, encode({"status": "success"})).response(request_id)


async def inbound(sandbox: Sandbox, request: web.Request) -> web.Response:
    """Write to an account."""
    _, wrote = await json_read(request, _inbound)
    request_id = request_id_of(request)
    message_id = await sandbox.phones.write(
        wrote.channel, wrote.sender, wrote.recipient, wrote.text, request_id
    )
    body = {"status": "success", "messageId": message_id}
    return Answer(200, encode(body)).response(request_id)


def _inbound(body: Any) -> SandboxInbound:
    if not isinstance(body, dict):
        return structure(body, SandboxInbound)
    given = {name: body[name] for name in INBOUND if name in body}
    if "channel" in given:
        given["channel"] = channel_named(given["channel"])
    named = {INBOUND[name]: value for name, value in given.items()}
    return renamed(_SPELLED, lambda: structure(named, SandboxInbound))


def sandbox_phone_routes(prefix: str) -> tuple[Route, ...]:
    """Return the routes under one of the sandbox's prefixes (D-8)."""
    return (
        Route("POST", f"{prefix}/receipts", receipt, SANDBOX, About.STORE),
        Route("POST", f"{prefix}/inbound", inbound, SANDBOX, About.STORE),
    )
