"""Read saved answers in both of their forms for an audit, which never replays them (C-91)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec

from ...application.audit.answers import SavedAnswer

_LOWEST, _HIGHEST = 200, 599
_PIN_ID, _MESSAGE_ID = ("pinId", "pin_id"), ("messageId", "message_id")


class _Head(msgspec.Struct):
    """The first line of a saved HTTP answer, before its body."""

    status: int
    request: str = msgspec.field(name="requestId")


def read_answer(saved: bytes) -> SavedAnswer | None:
    """Read the saved answer of a request or an embedded call; return None if it is neither."""
    try:
        head, _, body = saved.partition(b"\n")
        if head.startswith(b"{"):
            first = msgspec.json.decode(head, type=_Head)
            if not _LOWEST <= first.status <= _HIGHEST:
                return None
            return _saved(msgspec.json.decode(body), first.request)
        word, _, result = saved.partition(b" ")
        if word not in (b"sent", b"failed", b"unexpected"):
            return None
        return _saved(msgspec.json.decode(result) if result else None, None)
    except (msgspec.DecodeError, ValueError, TypeError, OverflowError, RecursionError):
        return None


def _saved(body: Any, request_id: str | None) -> SavedAnswer:
    pin = body if isinstance(body, dict) and any(name in body for name in _PIN_ID) else {}
    expires_at = pin.get("expiresAt", pin.get("expires_at"))
    attempts = pin.get("attemptsRemaining", pin.get("attempts_remaining"))
    return SavedAnswer(
        request_id=request_id,
        streams=frozenset(_ids(body)),
        expires_at=None if expires_at is None else datetime.fromisoformat(expires_at),
        attempts=None if attempts is None else int(attempts),
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
