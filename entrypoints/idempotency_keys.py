"""Claims on Idempotency-Keys, for requests and embedded calls (C-10)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from ..application.idempotency import Idempotency
from ..application.ports.answer_sealer import AnswerSealer
from ..application.ports.event_store import Reservation
from ..application.ports.fingerprinter import Fingerprinter
from ..application.ports.person_keys import PersonKeys
from ..application.ports.randomness import Randomness
from ..domain.errors import FieldProblem, ValidationFailedError
from .saved_answers import promises_of

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
# Sorted, so that equal values have one encoding.
_canonical = msgspec.json.Encoder(order="sorted").encode


class _Seal:
    """The seal of one key's answer, which is bound to its scope and to its open line."""

    def __init__(self, sealer: AnswerSealer, scope: str, secret: str) -> None:
        self._sealer = sealer
        self._scope = scope
        self._secret = secret

    def sealed(self, answer: bytes) -> bytes:
        """Return an answer in its stored form."""
        line = promises_of(answer)
        text = self._sealer.seal(self._secret, self._name(line), answer)
        return line + b"\n" + text.encode()

    def opened(self, saved: bytes) -> bytes:
        """Return a saved answer; raises the errors of `AnswerSealer.open`."""
        line, _, text = saved.partition(b"\n")
        return self._sealer.open(self._secret, self._name(line), text.decode())

    def _name(self, line: bytes) -> str:
        return f"{self._scope}\n{line.decode()}"


class IdempotencyKeys:
    """
    Claims keys; each claim has one request as its owner.

    The store gets no key of a client, which may contain a number: of a scope it knows the account, the
    operation and the key's HMAC (D-330).
    """

    def __init__(
        self,
        fingerprinter: Fingerprinter,
        randomness: Randomness,
        person_keys: PersonKeys,
        sealer: AnswerSealer,
    ) -> None:
        self._fingerprinter = fingerprinter
        self._randomness = randomness
        self._person_keys = person_keys
        self._sealer = sealer

    def claim(
        self,
        account_id: str,
        operation: str,
        key: str,
        request: Any,
        present: Callable[[Any], bytes],
        *,
        field: str,
    ) -> Idempotency:
        """
        Claim a key for one operation of an account and its request; `present` makes its answer.

        Raises `ValidationFailedError`, which names `field`, for a malformed key.
        """
        if not _KEY.fullmatch(key):
            raise ValidationFailedError(
                [FieldProblem(field, "must have 1 to 255 visible ASCII characters")]
            )
        hashed = self._person_keys.hashed("idempotency-key", account_id, operation, key)
        scope = f"{account_id}\n{operation}\n{hashed}"
        reservation = Reservation(
            scope=scope,
            fingerprints=self._fingerprinter.fingerprints(_canonical(request)),
            owner=self._randomness.new_id("own"),
        )
        seal = _Seal(self._sealer, scope, f"{account_id}\n{operation}\n{key}")
        return Idempotency(reservation, lambda result: seal.sealed(present(result)), seal.opened)
