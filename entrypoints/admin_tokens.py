"""The check of admin tokens, which open the operators' routes (C-96)."""

from __future__ import annotations

from .settings import SANDBOX_ADMIN_TOKEN

_LENGTH = 32


def fault_of(token: str | None) -> str | None:
    """Return a sentence on why a token is not allowed outside a sandbox; None for a good or missing one."""
    if token == SANDBOX_ADMIN_TOKEN:
        return f"{token} is the sandbox's admin token, which everybody knows."
    if token and not (token.isascii() and token.isprintable()):
        return "The admin token has characters that no header carries."
    if token and len(token) < _LENGTH:
        return f"The admin token has fewer than {_LENGTH} characters."
    return None
