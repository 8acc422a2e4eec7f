"""Claims on Idempotency-Keys, for requests and embedded calls (C-10)."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..application.ports.event_store import Reservation
from ..application.ports.fingerprinter import Fingerprinter
from ..application.ports.randomness import Randomness
from ..domain.errors import FieldProblem, ValidationFailedError

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
# Sorted, so that equal values have one encoding.
_canonical = msgspec.json.Encoder(order="sorted").encode


class IdempotencyKeys:
    """Creates reservations; each has one request as its owner."""

    def __init__(self, fingerprinter: Fingerprinter, randomness: Randomness) -> None:
        self._fingerprinter = fingerprinter
        self._randomness = randomness

    def claim(
        self, account_id: str, operation: str, key: str, request: Any, *, field: str
    ) -> Reservation:
        """
        Claim a key for one operation of an account and its request.

        Raises `ValidationFailedError`, which names `field`, for a malformed key.
        """
        if not _KEY.fullmatch(key):
            raise ValidationFailedError(
                [FieldProblem(field, "must have 1 to 255 visible ASCII characters")]
            )
        return Reservation(
            scope=f"{account_id}\n{operation}\n{key}",
            fingerprints=self._fingerprinter.fingerprints(_canonical(request)),
            owner=self._randomness.new_id("own"),
        )
