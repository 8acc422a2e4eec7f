"""The port for observers of the store: logs, metrics and spans."""

from __future__ import annotations

from typing import Protocol

from ..records.callback_delivery import CallbackDeliveryRow
from .event_store import Append, StoreUnavailable


class StoreObserver(Protocol):
    """
    Is called after each append, each callback attempt, and each outage of the store.

    Every request calls it on the event loop, in the context of that request: it returns at once and
    raises nothing. It masks destinations in what it passes on (C-32).
    """

    def committed(self, append: Append, seconds: float, /) -> None:
        """Observe an append that is durable, and how long its use case waited for it."""
        ...

    def attempted(self, delivery: CallbackDeliveryRow, /) -> None:
        """Observe the outcome of an attempt to deliver a callback."""
        ...

    def available(self) -> None:
        """Observe that the store has taken a write."""
        ...

    def unavailable(self, failure: StoreUnavailable, /) -> None:
        """Observe that the store could not be reached."""
        ...
