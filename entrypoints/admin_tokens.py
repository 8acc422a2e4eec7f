"""The check of admin tokens, which open the operators' routes (C-96)."""

from __future__ import annotations

from pathlib import Path

from ..adapters.private_files import NotPrivateError, read_private
from .settings import SANDBOX_ADMIN_TOKEN, SettingsError

_LENGTH = 32


def read_token(path: Path) -> str:
    """
    Read the admin token from a file that nobody else may read (D-566).

    Raises `SettingsError` for a file that is missing, unreadable, empty or open to others.
    """
    try:
        token = read_private(path).strip()
    except NotPrivateError as error:
        raise SettingsError(str(error)) from None
    except (OSError, UnicodeDecodeError):
        raise SettingsError(f"The admin token file {path} cannot be read.") from None
    if not token:
        raise SettingsError(f"The admin token file {path} is empty.")
    return token


def fault_of(token: str | None) -> str | None:
    """Return a sentence on why a token is not allowed outside a sandbox; None for a good or missing one."""
    if token == SANDBOX_ADMIN_TOKEN:
        return f"{token} is the sandbox's admin token, which everybody knows."
    if token and not (token.isascii() and token.isprintable()):
        return "The admin token has characters that no header carries."
    if token and len(token) < _LENGTH:
        return f"The admin token has fewer than {_LENGTH} characters."
    return None
