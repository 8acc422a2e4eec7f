"""The requests of agent messages: to send one, to revoke it, and to ask about a number (C-63)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from urllib.parse import quote, urlencode

import msgspec
from yarl import URL

from ....application.ports.channels import Fault, Message
from ....domain.rcs_template import MessageType
from ..http_client.exchanges import Request
from ..http_client.failures import NotSentError, no_unicode
from .content.content_messages import content_message
from .content.limits import unfit
from .settings import RcsSettings

# Google expires a message so much later than we need not deliver it any more, so that a revoke at its end
# still finds it (D-289).
GRACE_SECONDS = 30
_MOST_TTL = 15 * 86_400
# Google takes 250 KB.
_LONGEST_BODY = 250_000
_TRAFFIC: Mapping[MessageType | None, str] = {
    MessageType.OTP: "AUTHENTICATION",
    MessageType.TRANSACTIONAL: "TRANSACTION",
    MessageType.PROMOTIONAL: "PROMOTION",
    # Without a template, such as a test. Agents of every kind may send it.
    None: "SERVICEREQUEST",
}
_NUMBER = re.compile(r"\+?([1-9][0-9]{5,14})")
_NO_NUMBER = "The destination is no phone number with its country code, such as +447700900123."
# Names the ids of messages among all UUIDs of version 5.
_IDS = uuid.UUID("0f5a3d0e-8c1b-5f43-9e0c-7a1d4b6c2e90")


def message_id_of(reference: str) -> str:
    """Return Google's id of a message, which we choose: a repeated send has the same, and is ignored."""
    return str(uuid.uuid5(_IDS, reference))


def send_request(settings: RcsSettings, message: Message) -> Request:
    """Return the request for a message, without a token; raises `NotSentError` for what cannot be sent."""
    document = {
        "contentMessage": content_message(message),
        "messageTrafficType": _TRAFFIC[message.rcs_type],
    }
    if message.ttl_seconds is not None:
        document["ttl"] = f"{min(message.ttl_seconds + GRACE_SECONDS, _MOST_TTL)}s"
    try:
        body = msgspec.json.encode(document)
    except UnicodeEncodeError:
        raise no_unicode() from None
    if len(body) > _LONGEST_BODY:
        words = f"The message has {len(body)} bytes; RCS takes {_LONGEST_BODY}."
        raise unfit("rcs_message_too_long", words)
    query = {"messageId": message_id_of(message.reference), "agentId": settings.agent_id}
    return Request(
        method="POST",
        url=_url(settings, f"phones/{phone_of(message.destination)}/agentMessages", query),
        headers={"Content-Type": "application/json"},
        body=body,
    )


def revoke_request(settings: RcsSettings, destination: str, message_id: str) -> Request:
    """Return the request that revokes a message; raises `NotSentError` without a number."""
    path = f"phones/{phone_of(destination)}/agentMessages/{quote(message_id, safe='')}"
    return Request(method="DELETE", url=_url(settings, path, {"agentId": settings.agent_id}))


def capabilities_request(settings: RcsSettings, destination: str) -> Request:
    """Return the request about a number's features; raises `NotSentError` without a number."""
    query = {"requestId": str(uuid.uuid4()), "agentId": settings.agent_id}
    return Request(
        method="GET", url=_url(settings, f"phones/{phone_of(destination)}/capabilities", query)
    )


def authorized(request: Request, token: str) -> Request:
    """Return a request with an access token."""
    headers = {**request.headers, "Authorization": f"Bearer {token}"}
    return Request(method=request.method, url=request.url, headers=headers, body=request.body)


def phone_of(destination: str) -> str:
    """Return a destination with its `+`; raises `NotSentError` if it is no phone number."""
    found = _NUMBER.fullmatch(destination)
    if found is None:
        raise NotSentError("invalid_number", _NO_NUMBER, Fault.RECIPIENT)
    return f"+{found[1]}"


def _url(settings: RcsSettings, path: str, query: Mapping[str, str]) -> URL:
    return URL(f"{settings.base_url}/v1/{path}?{urlencode(query)}", encoded=True)
