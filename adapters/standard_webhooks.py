"""The signature of Standard Webhooks: HMAC-SHA256 over id, time and sent body (C-33)."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Mapping
from datetime import datetime

_PREFIX = "whsec_"
_LEAST_BYTES, _MOST_BYTES = 24, 64


class StandardWebhooksSigner:
    """Signs callbacks in the form that the libraries of Standard Webhooks verify."""

    def headers(
        self, delivery_id: str, body: bytes, at: datetime, secret: bytes | None
    ) -> Mapping[str, str]:
        """Return the headers of a call with its id; without a secret, it is not signed."""
        headers = {"webhook-id": delivery_id, "content-type": "application/json"}
        if secret is None:
            return headers
        seconds = int(at.timestamp())
        content = f"{delivery_id}.{seconds}.".encode() + body
        signature = base64.b64encode(hmac.digest(secret, content, "sha256")).decode()
        return {
            **headers,
            "webhook-timestamp": str(seconds),
            "webhook-signature": f"v1,{signature}",
        }

    def secret_text(self, secret: bytes) -> str:
        """Return the text form of a secret, which receivers store."""
        return _PREFIX + base64.b64encode(secret).decode()

    def secret_bytes(self, text: str) -> bytes:
        """Parse the text form of a secret; raises `ValueError`."""
        try:
            secret = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
        except (binascii.Error, ValueError):
            secret = b""
        if not (text.startswith(_PREFIX) and _LEAST_BYTES <= len(secret) <= _MOST_BYTES):
            raise ValueError(
                f"must be {_PREFIX} and the base64 of {_LEAST_BYTES} to {_MOST_BYTES} bytes"
            )
        return secret
