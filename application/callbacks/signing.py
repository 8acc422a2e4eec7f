"""The signature of Standard Webhooks: HMAC-SHA256 over id, time and body as they are sent (C-33)."""

from __future__ import annotations

import base64
import binascii
import hmac

PREFIX = "whsec_"
WEBHOOK_ID = "webhook-id"
LEAST_BYTES, MOST_BYTES = 24, 64


def signed_headers(secret: bytes, webhook_id: str, seconds: int, body: bytes) -> dict[str, str]:
    """Give the headers that prove to a receiver who sent this, and when; `seconds` of Unix time."""
    content = f"{webhook_id}.{seconds}.".encode() + body
    signature = base64.b64encode(hmac.digest(secret, content, "sha256")).decode()
    return {
        WEBHOOK_ID: webhook_id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{signature}",
    }


def secret_text(secret: bytes) -> str:
    """Give a secret as receivers keep it."""
    return PREFIX + base64.b64encode(secret).decode()


def secret_bytes(text: str) -> bytes | None:
    """Give the secret in its text; None where it is none of 24 to 64 bytes."""
    try:
        secret = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        return None
    fits = text.startswith(PREFIX) and LEAST_BYTES <= len(secret) <= MOST_BYTES
    return secret if fits else None
