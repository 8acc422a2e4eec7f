"""
Posts of Google: the check of a new webhook, and events that are signed (C-70).

The signature covers `message.data` alone, so nothing else of a post is read. A post without a right
signature is 401, also one whose data cannot be found. A signed event that cannot be read is counted and
answered with 200: Google would post it for a week, and hold back the events of all agents meanwhile.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from .....application.ports.channels import Heard, Post
from .....domain.accounts.api_key import UnauthorizedError
from .....domain.errors import FieldProblem, ValidationFailedError
from ...comparing import is_same
from ...json_texts import object_in
from ..settings import RcsSettings
from .events import NotReadableError, report_in

_SIGNATURE = "x-goog-signature"
_LONGEST_SECRET = 1_024
# An event has a kilobyte, and a person's text a few more.
LONGEST_POST = 256 * 1024
_Shape = TypeVar("_Shape")


class _Posted(Struct, frozen=True):
    """What anybody may post; nothing else of it is read before the token or the signature is known."""

    client_token: Raw = msgspec.field(name="clientToken", default_factory=Raw)
    secret: Raw = msgspec.field(default_factory=Raw)
    message: Raw = msgspec.field(default_factory=Raw)


class _Message(Struct, frozen=True):
    data: str | None = None


def heard(settings: RcsSettings, post: Post, now: datetime) -> Heard:
    """
    Return the report in a post, or the answer to Google's check of the webhook.

    Raises `UnauthorizedError` for a wrong token or signature, before anything else is read, and
    `ValidationFailedError` for a long post, which anybody could have read, and a wrong check.
    """
    if len(post.body) > LONGEST_POST:
        wrong = f"must have at most {LONGEST_POST // 1024} KiB"
        raise ValidationFailedError([FieldProblem("body", wrong)])
    # One that cannot be read has no token and no signature.
    posted = _read(post.body, _Posted) or _Posted()
    if bytes(posted.client_token):
        return _confirmed(settings, posted)
    message = _read(posted.message, _Message) or _Message()
    data = _decoded(message.data)
    digest = hmac.digest(settings.webhook_token.encode(), data, "sha512")
    expected = base64.b64encode(digest).decode()
    if not is_same(post.headers.get(_SIGNATURE, "").strip(), expected):
        raise UnauthorizedError
    try:
        report = report_in(_event(data), settings.agent_id, now)
    except NotReadableError:
        return Heard(unreadable=1)
    return Heard(reports=() if report is None else (report,))


def _confirmed(settings: RcsSettings, posted: _Posted) -> Heard:
    """Return the secret of a post that knows the webhook's token, as plain text (C-99)."""
    token, secret = _read(posted.client_token, str), _read(posted.secret, str)
    if token is None or not is_same(token, settings.webhook_token):
        raise UnauthorizedError
    if secret is None or not 1 <= len(secret) <= _LONGEST_SECRET:
        raise ValidationFailedError([FieldProblem("secret", "must be a text")])
    return Heard(content_type="text/plain; charset=utf-8", body=secret.encode(errors="replace"))


def _read(raw: Raw | bytes, shape: type[_Shape]) -> _Shape | None:
    """Return JSON in a shape; None if it has another."""
    try:
        return msgspec.json.decode(raw, type=shape)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        # A text that is no UTF-8 is a ValueError.
        return None


def _decoded(data: str | None) -> bytes:
    if data is None:
        raise UnauthorizedError
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise UnauthorizedError from None


def _event(data: bytes) -> Mapping[str, Any]:
    event = object_in(data)
    if event is None:
        raise NotReadableError
    return event
