"""Signatures, against the reference library of Standard Webhooks (C-33)."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from watchword.adapters.standard_webhooks import StandardWebhooksSigner

SECRET, BODY = b"s" * 32, b'{"type":"pin.issued"}'
SIGNER = StandardWebhooksSigner()


def read(secret: bytes, headers: object, body: bytes) -> None:
    """Verify a call as a receiver does; raises `WebhookVerificationError`."""
    Webhook(SIGNER.secret_text(secret)).verify(body, dict(headers))  # type: ignore[call-overload]  # a mapping of texts


def test_wrong_calls_are_refused() -> None:
    """One flipped bit, another time, another id, another secret: none of them passes."""
    headers = SIGNER.headers("dlv_one", BODY, datetime.now(UTC), SECRET)
    old = str(int(headers["webhook-timestamp"]) - 360)
    read(SECRET, headers, BODY)
    for secret, sent, body in (
        (SECRET, headers, bytes([BODY[0] ^ 1]) + BODY[1:]),
        (SECRET, {**headers, "webhook-timestamp": old}, BODY),
        (SECRET, {**headers, "webhook-id": "dlv_other"}, BODY),
        (b"o" * 32, headers, BODY),
    ):
        with pytest.raises(WebhookVerificationError):
            read(secret, sent, body)


def test_without_a_secret_a_call_tells_its_id_alone() -> None:
    """The id lets the receiver recognise a repetition."""
    headers = SIGNER.headers("dlv_one", BODY, datetime.now(UTC), None)

    assert {"webhook-id": "dlv_one", "content-type": "application/json"} == headers


@pytest.mark.parametrize("length", [24, 64])
def test_a_secret_is_read_as_it_is_written(length: int) -> None:
    """The shortest and the longest."""
    assert b"s" * length == SIGNER.secret_bytes(SIGNER.secret_text(b"s" * length))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "whsec_",
        "whsec_tea!",
        base64.b64encode(SECRET).decode(),
        SIGNER.secret_text(b"s" * 23),
        SIGNER.secret_text(b"s" * 65),
    ],
)
def test_what_is_no_secret_is_told_what_it_must_be(text: str) -> None:
    """Without its prefix, not in base64, too short, too long."""
    with pytest.raises(ValueError, match="must be whsec_ and the base64 of 24 to 64 bytes"):
        SIGNER.secret_bytes(text)
