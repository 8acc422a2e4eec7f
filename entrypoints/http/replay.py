"""Saved answers: the bytes that are kept under an Idempotency-Key, and their replay (C-10)."""

from __future__ import annotations

from typing import Any

import msgspec
from aiohttp import web

from ...application.idempotency import Idempotency
from ..wire.codec import encode
from .answers import Answer

REPLAYED = "Idempotent-Replayed"
# The request's claim on its Idempotency-Key.
CLAIMED = web.RequestKey("claimed", Idempotency)


def saved(answer: Answer, request_id: str) -> bytes:
    """Return the bytes to save for replay: status and request id ahead of the body (C-10)."""
    return encode({"status": answer.status, "requestId": request_id}) + b"\n" + answer.body


def replayed(request: web.Request, kept: bytes) -> web.Response:
    """
    Return the saved answer of a request's key, byte for byte and with the request id of the first.

    Raises `SealBrokenError` for an answer that was changed.
    """
    head, _, body = request[CLAIMED].opened(kept).partition(b"\n")
    first: dict[str, Any] = msgspec.json.decode(head)
    return Answer(first["status"], body, {REPLAYED: "true"}).response(first["requestId"])
