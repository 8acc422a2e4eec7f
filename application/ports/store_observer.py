"""The port for observers of the store: logs, metrics and spans."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from ..records.callback_delivery import CallbackDeliveryRow
from .event_store import Append, StoreUnavailable


class LeftOut(StrEnum):
    """The reason why a part of a provider's post was acknowledged and not recorded (C-70)."""

    UNREADABLE = "unreadable"
    INAPPLICABLE = "inapplicable"
    UNADDRESSED = "unaddressed"


class StoreObserver(Protocol):
    """
    Observes appends, callback attempts, lost parts of posts, breakers, faulty adapters, outages of the store.

    Its methods run on the event loop, in the context of the request. They return at once and raise
    nothing. They mask destinations before they pass them on (C-32).
    """

    def committed(self, append: Append, seconds: float, /) -> None:
        """Observe a durable append, and for how many seconds its use case waited."""
        ...

    def attempted(self, delivery: CallbackDeliveryRow, /) -> None:
        """Observe the outcome of an attempt to deliver a callback."""
        ...

    def left_out(
        self, channel_account_id: str, reason: LeftOut, error: str | None, number: int, /
    ) -> None:
        """Observe parts of a provider's post that were not recorded; `error` is the name of a class."""
        ...

    def breaker_turned(self, channel_account_id: str, state: str, seconds: float, /) -> None:
        """Observe that a breaker opened, for so many seconds, or closed (C-69)."""
        ...

    def adapter_failed(self, channel_account_id: str, call: str, error: BaseException, /) -> None:
        """Observe an exception that escaped an adapter's `call`; its text may quote a message."""
        ...

    def available(self) -> None:
        """Observe that the store has accepted a write."""
        ...

    def unavailable(self, failure: StoreUnavailable, /) -> None:
        """Observe that the store is out of reach."""
        ...
