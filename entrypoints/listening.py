"""Ports that cannot be bound, in a sentence."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from .settings import SettingsError


@contextmanager
def listening_on(host: str, port: int, flag: str) -> Iterator[None]:
    """Say in a sentence why a port cannot be bound."""
    try:
        yield
    except OSError as error:
        raise SettingsError(
            f"Cannot listen on {host}:{port}: {_reason(error)}. Choose another --host or {flag}."
        ) from None


def _reason(error: OSError) -> str:
    # The event loop wraps the system's words in its own; names that cannot be resolved have no others.
    known = not isinstance(error, socket.gaierror) and error.errno
    return os.strerror(known) if known else str(error.strerror)
