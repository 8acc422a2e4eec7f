"""What an operator acts on, in the log: sends that failed, a store out of reach, a slow disk."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from ..application.ports.event_store import Append, Change, StoreUnavailable
from ..application.records.callback_delivery import CallbackDeliveryRow
from ..domain.channel import DISPATCH_INTERRUPTED
from ..domain.destination import masked
from ..domain.message import Message, MessageDispatched
from ..domain.pin import Pin, PinDispatched
from .logs import logger

SLOW_COMMIT_SECONDS = 1.0
# A store at its limit refuses and takes by turns: it is back when it has refused nothing for so long.
SETTLED_SECONDS = 1.0
# What a provider calls a failure is its own text: one that is no name of a code is not repeated.
_CODE = re.compile(r"(?!.*\d{6})[a-z0-9_]{1,64}")

_DISPATCHES = (PinDispatched, MessageDispatched)

_log = logger("watchword.store")
_callback_log = logger("watchword.callbacks")
_dispatch_log = logger("watchword.dispatch")


class LoggingObserver:
    """Logs what went wrong, and nothing of what went well."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._down_since: float | None = None
        self._failed_last = 0.0

    def committed(self, append: Append, _: float, /) -> None:
        """Look for sends that were not accepted."""
        if self._down_since is not None:
            self.available()
        for change in append.changes:
            for event in change.events:
                if isinstance(event, _DISPATCHES):
                    _say_what_failed(append, change, event)

    def attempted(self, delivery: CallbackDeliveryRow, /) -> None:
        """Say that an attempt failed, and whether it was the last."""
        if delivery.error is not None:
            _callback_log.warning(
                "callback_failed" if delivery.next_attempt_at else "callback_given_up",
                callback=delivery.endpoint_id,
                delivery=delivery.id,
                type=delivery.type,
                attempts=delivery.attempts,
                error=delivery.error,
                status=delivery.last_status,
            )

    def available(self) -> None:
        """Say that the store is back, once it has been so for a moment."""
        if self._down_since is None:
            return
        now = self._monotonic()
        if now - self._failed_last >= SETTLED_SECONDS:
            _log.warning("store_available", seconds=round(now - self._down_since, 1))
            self._down_since = None

    def unavailable(self, failure: StoreUnavailable, /) -> None:
        """Say once that the store cannot do what it should."""
        self._failed_last = self._monotonic()
        if self._down_since is None:
            self._down_since = self._failed_last
            _log.error("store_unavailable", reason=failure.reason)

    def wrote(self, appends: int, seconds: float) -> None:
        """Say that a commit took long."""
        if seconds >= SLOW_COMMIT_SECONDS:
            _log.warning("slow_commit", appends=appends, seconds=round(seconds, 3))


def _say_what_failed(
    append: Append, change: Change, event: PinDispatched | MessageDispatched
) -> None:
    if isinstance(event, PinDispatched):
        pin: Pin = change.state
        outcomes, destination = event.outcomes, pin.destination
        sent = {"pin": change.stream, "issue": event.issue}
    else:
        message: Message = change.state
        outcomes, destination = (event.outcome,), message.recipient
        sent = {"message": change.stream}
    for outcome in outcomes:
        if outcome.accepted:
            continue
        if outcome.error_code == DISPATCH_INTERRUPTED:
            # Whoever recovers a dispatch says so of all its channels.
            _dispatch_log.warning("dispatch_recovered", request_id=append.request_id, **sent)
            return
        _dispatch_log.warning(
            f"dispatch_{outcome.status}",
            request_id=append.request_id,
            **sent,
            channel=str(outcome.channel),
            channel_account=outcome.channel_account_id,
            code=_named(outcome.error_code),
            destination=masked(destination),
        )


def _named(code: str | None) -> str:
    return code if code is not None and _CODE.fullmatch(code) else "other"
