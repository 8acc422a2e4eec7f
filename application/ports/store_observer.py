"""The port for observers of the store: logs, metrics and spans."""

from __future__ import annotations

from typing import Protocol

from ..records.callback_delivery import CallbackDeliveryRow
from .event_store import Append, StoreUnavailable


class StoreObserver(Protocol):
    """
    Observes appends, attempts to deliver callbacks, and outages of the store.

    Its methods run on the event loop, in the context of the request. They return at once and raise
    nothing. They mask destinations before they pass them on (C-32).
    """

    def committed(self, append: Append, seconds: float, /) -> None:
        """Observe a durable append, and for how many seconds its use case waited."""
        ...

    def attempted(self, delivery: CallbackDeliveryRow, /) -> None:
        """Observe the outcome of an attempt to deliver a callback."""
        ...

    def available(self) -> None:
        """Observe that the store has accepted a write."""
        ...

    def unavailable(self, failure: StoreUnavailable, /) -> None:
        """Observe that the store is out of reach."""
        ...
