"""Idempotent requests: the claim on a key, and the answer to save under it (C-10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from .ports.event_store import Reservation


@frozen
class Idempotency:
    """
    A claim on an Idempotency-Key, and how its answer will read.

    `present` turns the result, or the exception in its place, into the bytes to save and to give
    again.
    """

    reservation: Reservation
    present: Callable[[Any], bytes]
