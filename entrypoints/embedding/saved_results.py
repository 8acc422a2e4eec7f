"""Saves the results of embedded calls under their idempotency keys (C-10, C-44)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from attrs import frozen
from cattrs.preconf.msgspec import make_converter

from ...application.caller import Caller
from ...application.errors import UnexpectedError
from ...application.idempotency import Idempotency
from ...application.ports.sealer import SealBrokenError, SealKeyMissingError
from ...domain.channel import ChannelOutcome
from ...domain.pin import DispatchFailedError
from ..idempotency_keys import IdempotencyKeys

R = TypeVar("R")

_converter = make_converter()
_SENT, _FAILED, _UNEXPECTED = b"sent ", b"failed ", b"unexpected "


@frozen
class _FailedSend:
    """The saved parts of a `DispatchFailedError`."""

    outcomes: tuple[ChannelOutcome, ...]
    pin_id: str | None


class Saver(Generic[R]):
    """Converts results of one kind into bytes and back; a failed dispatch is saved and raised again."""

    def __init__(self, keys: IdempotencyKeys, kind: type[R]) -> None:
        self._keys = keys
        self._kind = kind

    def idempotency(
        self, by: Caller, operation: str, key: str | None, request: Mapping[str, Any]
    ) -> Idempotency | None:
        """Return the claim on a key, if any; embedded keys never collide with those of HTTP."""
        if key is None:
            return None
        return self._keys.claim(
            by.account_id,
            f"embedded {operation}",
            key,
            request,
            self._saved,
            field="idempotency_key",
        )

    def result(self, claimed: Idempotency | None, kept: bytes) -> R:
        """Return the saved result of a claimed key, or raise the saved refusal."""
        if claimed is None:
            # Only a claimed key is answered.
            raise UnexpectedError
        try:
            saved = claimed.opened(kept)
        except (SealBrokenError, SealKeyMissingError):
            raise UnexpectedError from None
        if saved.startswith(_SENT):
            return _converter.loads(saved.removeprefix(_SENT), self._kind)
        if saved.startswith(_FAILED):
            failed = _converter.loads(saved.removeprefix(_FAILED), _FailedSend)
            raise DispatchFailedError(failed.outcomes, failed.pin_id)
        raise UnexpectedError

    def _saved(self, result: Any) -> bytes:
        if isinstance(result, self._kind):
            return _SENT + _converter.dumps(result)
        if isinstance(result, DispatchFailedError):
            return _FAILED + _converter.dumps(_FailedSend(result.outcomes, result.pin_id))
        return _UNEXPECTED
