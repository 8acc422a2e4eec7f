"""
The stored form of saved answers: a line that an audit reads, and the sealed answer (C-10, C-91, D-330).

The line has the request's id, and the ids and times that the answer promises. It is bound to the sealed
answer, so that neither changes without the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec

from ..application.audit.answers import SavedAnswer

_PIN_ID, _MESSAGE_ID = ("pinId", "pin_id"), ("messageId", "message_id")
_SEALED = re.compile(rb"[0-9]{1,9}:[A-Za-z0-9+/]+={0,2}")


class _Head(msgspec.Struct):
    """The first line of an HTTP answer, before its body."""

    status: int
    request: str = msgspec.field(name="requestId")


class _Promises(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The open line of a saved answer."""

    request_id: str | None = msgspec.field(name="requestId", default=None)
    streams: list[str] = []
    expires_at: str | None = msgspec.field(name="expiresAt", default=None)
    attempts: int | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Promises).decode


def promises_of(answer: bytes) -> bytes:
    """Return the open line for the answer to a request or an embedded call."""
    head, _, body = answer.partition(b"\n")
    if head.startswith(b"{"):
        first = msgspec.json.decode(head, type=_Head)
        return _encode(_promised(msgspec.json.decode(body), first.request))
    _, _, result = answer.partition(b" ")
    return _encode(_promised(msgspec.json.decode(result) if result else None, None))


def read_answer(saved: bytes) -> SavedAnswer | None:
    """Read what can be read of a saved answer without its Idempotency-Key; None if it is none (C-91)."""
    line, _, sealed = saved.partition(b"\n")
    if not _SEALED.fullmatch(sealed):
        return None
    try:
        promises = _decode(line)
        at = promises.expires_at
        return SavedAnswer(
            request_id=promises.request_id,
            streams=frozenset(promises.streams),
            expires_at=None if at is None else datetime.fromisoformat(at),
            attempts=promises.attempts,
        )
    except (msgspec.DecodeError, ValueError, OverflowError):
        return None


def _promised(body: Any, request_id: str | None) -> _Promises:
    pin = body if isinstance(body, dict) and any(name in body for name in _PIN_ID) else {}
    return _Promises(
        request_id=request_id,
        streams=list(_ids(body)),
        expires_at=pin.get("expiresAt", pin.get("expires_at")),
        attempts=pin.get("attemptsRemaining", pin.get("attempts_remaining")),
    )


def _ids(body: Any) -> Iterator[str]:
    """Yield the ids of PINs and messages in a body, at any depth."""
    if isinstance(body, dict):
        for name, value in body.items():
            if name in (*_PIN_ID, *_MESSAGE_ID) and isinstance(value, str):
                yield value
            else:
                yield from _ids(value)
    elif isinstance(body, list):
        for each in body:
            yield from _ids(each)
