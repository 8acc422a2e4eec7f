"""The sandbox, and the posts of its provider."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

from tools.openapi.limits import limits_of
from tools.openapi.schemas import Types, narrowed, or_null, reference
from tools.openapi.types.shapes import any_of, members, one_of, text
from watchword.adapters.channels.sandbox_posts import MAX_TEXT, PostedDecision, PostedStatus
from watchword.domain.approval import MAX_REASON
from watchword.domain.channel import Channel
from watchword.domain.errors import camel
from watchword.entrypoints.sandbox.requests import (
    INBOUND,
    AdvanceRequest,
    SandboxInbound,
    a_visible_text,
)


class OutboxMessage(TypedDict):
    """A message in the outbox."""

    id: str
    at: datetime
    channel: Channel
    channelAccountId: str
    destination: str
    sender: str | None
    text: str
    subject: NotRequired[str]
    payload: Mapping[str, Any] | None
    providerMessageId: str
    messageId: NotRequired[str]


class Outbox(TypedDict):
    """The messages of the outbox."""

    data: list[OutboxMessage]


class Done(TypedDict):
    """The answer to a recorded post."""

    status: Literal["success"]


class InboundTaken(Done):
    """The answer to a recorded inbound message."""

    messageId: str


class Now(TypedDict):
    """The time of the clock."""

    now: datetime


class PostedTemplate(TypedDict):
    """The template of a decision."""

    name: str
    senderProfile: NotRequired[str | None]
    language: NotRequired[str | None]


_ID = reference("VisibleText")
_ID_OR_NONE = or_null(_ID)
_NULL = {"type": "null"}
_POSTED_STATUS = reference("PostedStatus")


def _receipt(required: list[str], **ids: Any) -> dict[str, Any]:
    return members([*required, "status"], **ids, status=_POSTED_STATUS, errorCode=_ID_OR_NONE)


_READ = Types({}).described(SandboxInbound)["properties"]
# Members with their names on the wire.
_INBOUND = members(
    [],
    **{wire: _READ[camel(name)] for wire, name in INBOUND.items() if wire != "channel"},
    channel=reference("ChannelFilter"),
)

NAMED: Mapping[str, Any] = {
    "VisibleText": limits_of(a_visible_text, {"type": "string"}),
    "PostedStatus": PostedStatus,
    "PostedDecision": PostedDecision,
    "SandboxReceiptById": _receipt(
        ["providerMessageId"], template=_NULL, providerMessageId=_ID, reference=_ID_OR_NONE
    ),
    "SandboxReceiptByReference": _receipt(
        ["reference"], template=_NULL, providerMessageId=_ID_OR_NONE, reference=_ID
    ),
    "PostedTemplate": narrowed(
        PostedTemplate,
        name=text(MAX_TEXT),
        senderProfile=text(MAX_TEXT, required=False),
        language=text(MAX_TEXT, required=False),
    ),
    "SandboxDecision": members(
        ["template", "status"],
        template=reference("PostedTemplate"),
        status=reference("PostedDecision"),
        reason=text(MAX_REASON, required=False),
    ),
    "ProviderPost": any_of("SandboxReceiptById", "SandboxReceiptByReference", "SandboxDecision"),
    "ReceiptForProvidersId": _receipt(
        ["providerMessageId"], providerMessageId=_ID, messageId=_NULL
    ),
    "ReceiptForMessage": _receipt(
        ["messageId"], providerMessageId=_NULL, messageId={"type": "string"}
    ),
    "SandboxReceipt": one_of("ReceiptForProvidersId", "ReceiptForMessage"),
    "SandboxInbound": {**_INBOUND, "required": list(_INBOUND["properties"])},
    "AdvanceClock": AdvanceRequest,
    "OutboxMessage": OutboxMessage,
    "Outbox": Outbox,
    "Done": Done,
    "InboundTaken": InboundTaken,
    "Now": Now,
}
