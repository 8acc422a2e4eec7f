"""Errors in the log: their kinds and places, never their texts."""

from __future__ import annotations

import traceback


def described(error: BaseException) -> str:
    """Give the kind of an error and where it came from; its text may hold what a client sent."""
    places = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{places}"
