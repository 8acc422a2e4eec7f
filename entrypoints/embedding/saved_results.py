"""Idempotent calls of embedders: results saved under a key and given again (C-10, C-44)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cattrs.preconf.msgspec import make_converter

from ...application.caller import Caller
from ...application.errors import UnexpectedError
from ...application.idempotency import Idempotency
from ...application.ports.code_hasher import Fingerprinter
from ...application.ports.event_store import Reservation
from ...application.ports.randomness import Randomness
from ...application.sending_pins import SentPin
from ...domain.channel import ChannelOutcome
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.pin import DispatchFailedError
from ..http.codec import canonical_json

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_converter = make_converter()
_SENT, _FAILED, _UNEXPECTED = b"sent ", b"failed ", b"unexpected "


class Saver:
    """Turns results into bytes and back; a failed dispatch is saved and raised again."""

    def __init__(self, fingerprinter: Fingerprinter, randomness: Randomness) -> None:
        self._fingerprinter = fingerprinter
        self._randomness = randomness

    def idempotency(
        self, by: Caller, operation: str, key: str | None, request: Mapping[str, Any]
    ) -> Idempotency | None:
        """Give the claim on a key, if there is one; embedders' keys never meet those of HTTP."""
        if key is None:
            return None
        if not _KEY.fullmatch(key):
            raise ValidationFailedError(
                [FieldProblem("idempotency_key", "must have 1 to 255 visible ASCII characters")]
            )
        reservation = Reservation(
            scope=f"{by.account_id}\nembedded {operation}\n{key}",
            fingerprints=self._fingerprinter.fingerprints(canonical_json(request)),
            owner=self._randomness.new_id("own"),
        )
        return Idempotency(reservation, _saved)

    def result(self, saved: bytes) -> SentPin:
        """Give a saved result again, or raise the saved refusal."""
        if saved.startswith(_SENT):
            return _converter.loads(saved.removeprefix(_SENT), SentPin)
        if saved.startswith(_FAILED):
            outcomes = _converter.loads(saved.removeprefix(_FAILED), tuple[ChannelOutcome, ...])
            raise DispatchFailedError(outcomes)
        raise UnexpectedError


def _saved(result: Any) -> bytes:
    if isinstance(result, SentPin):
        return _SENT + _converter.dumps(result)
    if isinstance(result, DispatchFailedError):
        return _FAILED + _converter.dumps(result.outcomes)
    return _UNEXPECTED
