"""The port for looking on: what was written, and whether the store can be reached."""

from __future__ import annotations

from typing import Protocol

from ..read_models.rows import CallbackDeliveryRow
from .event_store import Append, StoreUnavailable


class Witness(Protocol):
    """
    Told what happened, after it did: for logs, metrics and spans.

    Called on the event loop by every request, in the context of that request: it returns at once
    and raises nothing. What it tells further masks destinations (C-32).
    """

    def committed(self, append: Append, seconds: float, /) -> None:
        """See an append that is durable, and how long its use case waited for that."""
        ...

    def attempted(self, delivery: CallbackDeliveryRow, /) -> None:
        """See what became of an attempt to deliver a callback."""
        ...

    def available(self) -> None:
        """See that the store has taken a write."""
        ...

    def unavailable(self, failure: StoreUnavailable, /) -> None:
        """See that the store could not do what it was asked."""
        ...
