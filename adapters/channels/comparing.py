"""Compare what a post shows with a secret, in constant time (C-70)."""

from __future__ import annotations

import hmac


def is_same(given: str, expected: str) -> bool:
    """Return whether two texts are the same; stray bytes, which became half characters, are just wrong."""
    return hmac.compare_digest(_bytes(given), _bytes(expected))


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogatepass")
