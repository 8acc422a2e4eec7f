"""The claim on an Idempotency-Key, for requests and embedders' calls alike (C-10)."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..application.ports.event_store import Reservation
from ..application.ports.fingerprinter import Fingerprinter
from ..application.ports.randomness import Randomness
from ..domain.errors import FieldProblem, ValidationFailedError

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
# One spelling for equal values, whatever the order of their members.
_canonical = msgspec.json.Encoder(order="sorted").encode


class IdempotencyKeys:
    """Makes reservations; each is owned by one request alone."""

    def __init__(self, fingerprinter: Fingerprinter, randomness: Randomness) -> None:
        self._fingerprinter = fingerprinter
        self._randomness = randomness

    def claim(
        self, account_id: str, operation: str, key: str, request: Any, *, field: str
    ) -> Reservation:
        """
        Claim a key for one operation of an account and the request that came with it.

        Raises `ValidationFailedError` naming `field` for what is no key.
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
