"""Heads of a log, signed by a key of the tests."""

from __future__ import annotations

from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from watchword.application.evidence.tree import root, root_tiles
from watchword.application.ports.sealed_log import Head, SealedLog
from watchword.verify_evidence import ED25519, Checkpoint, Verifier, signature_line

NAME = "garden"
PRIVATE = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
VERIFIER = Verifier(NAME, ED25519, PRIVATE.public_key().public_bytes_raw())
AT = datetime(2031, 5, 4, 12, tzinfo=UTC)


def signed(checkpoint: Checkpoint) -> str:
    """Return a head as a signed note."""
    signature = PRIVATE.sign(checkpoint.text.encode())
    return f"{checkpoint.text}\n{signature_line(VERIFIER, signature)}"


async def seal(log: SealedLog, origin: str = f"{NAME}/1") -> Head:
    """Cover all events with tiles and a signed head, and return it."""
    size = 0
    while (grown := await log.extend(1_000)) > size:
        size = grown
    checkpoint = Checkpoint(origin, size, root(size, await log.tiles(root_tiles(size))))
    head = Head(origin, size, checkpoint.root, AT, signed(checkpoint))
    await log.keep_head(head)
    return head
