"""Which admin tokens may open the operators' routes (C-96)."""

from __future__ import annotations

from .settings import SANDBOX_ADMIN_TOKEN

_LENGTH = 32


def fault_of(token: str | None) -> str | None:
    """Say why a token is none outside a sandbox, in a sentence; None where it will do, or is not there."""
    if token == SANDBOX_ADMIN_TOKEN:
        return f"{token} is the sandbox's admin token, which everybody knows."
    if token and not (token.isascii() and token.isprintable()):
        return "The admin token has characters that no header carries."
    if token and len(token) < _LENGTH:
        return f"The admin token has fewer than {_LENGTH} characters."
    return None
