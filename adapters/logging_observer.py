"""Log lines for operators: failed sends, an unavailable store, a slow disk."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from ..application.ports.event_store import Append, Change, StoreUnavailable
from ..application.ports.provider_observer import LeftOut
from ..application.records.callback_delivery import CallbackDeliveryRow
from ..domain.channel import DISPATCH_INTERRUPTED
from ..domain.destination import masked
from ..domain.message import Message, MessageDispatched
from ..domain.pin import Pin, PinDispatched
from .logs import located, logger

SLOW_COMMIT_SECONDS = 1.0
# An overloaded store alternates between success and failure: it is back after so long without failure.
SETTLED_SECONDS = 1.0
# The seconds until a fault of an adapter at the same place is logged again, and the places that are kept.
ADAPTER_SECONDS, _MOST_PLACES = 60.0, 256
# A provider's error code can be any text; only one that looks like a code's name is logged. Meta's numbers
# are as long as the codes that people get, which outcomes hide before they come here.
_CODE = re.compile(r"whatsapp_\d{6,7}|(?!.*\d{6})[a-z0-9_]{1,64}")

_DISPATCHES = (PinDispatched, MessageDispatched)

_log = logger("watchword.store")
_callback_log = logger("watchword.callbacks")
_report_log = logger("watchword.reports")
_dispatch_log = logger("watchword.dispatch")


class LoggingObserver:
    """Logs failures, and no successes."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._down_since: float | None = None
        self._failed_last = 0.0
        self._adapters_again: dict[object, float] = {}

    def committed(self, append: Append, _: float, /) -> None:
        """Log the sends in an append that were not accepted."""
        if self._down_since is not None:
            self.available()
        for change in append.changes:
            for event in change.events:
                if isinstance(event, _DISPATCHES):
                    _log_failed_sends(append, change, event)

    def attempted(self, delivery: CallbackDeliveryRow, /) -> None:
        """Log a failed attempt of a callback, and whether it was the last."""
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

    def left_out(
        self, channel_account_id: str, reason: LeftOut, error: str | None, number: int, /
    ) -> None:
        """Log parts of a provider's post that were not recorded."""
        _report_log.warning(
            "report_left_out",
            channel_account=channel_account_id,
            reason=str(reason),
            error=error,
            parts=number,
        )

    def breaker_turned(self, channel_account_id: str, state: str, seconds: float, /) -> None:
        """Log that a breaker opened, also again after its probe failed, or that it closed."""
        if state == "open":
            _dispatch_log.warning(
                "breaker_opened", channel_account=channel_account_id, seconds=seconds
            )
        else:
            _dispatch_log.warning("breaker_closed", channel_account=channel_account_id)

    def templates_not_looked_up(self, channel_account_id: str, code: str, /) -> None:
        """Log that a provider's decisions on templates could not be looked up."""
        _report_log.warning(
            "templates_not_looked_up", channel_account=channel_account_id, code=_safe_code(code)
        )

    def adapter_failed(self, channel_account_id: str, call: str, error: BaseException, /) -> None:
        """Log where an adapter failed, once a minute for each place; thousands of sends may fail there."""
        now = self._monotonic()
        place = (call, type(error), _place(error))
        if now < self._adapters_again.get(place, now):
            return
        if len(self._adapters_again) >= _MOST_PLACES:
            self._adapters_again.clear()
        self._adapters_again[place] = now + ADAPTER_SECONDS
        _dispatch_log.error(
            "adapter_failed", channel_account=channel_account_id, call=call, **located(error)
        )

    def available(self) -> None:
        """Log that the store is back, after a second without failure."""
        if self._down_since is None:
            return
        now = self._monotonic()
        if now - self._failed_last >= SETTLED_SECONDS:
            _log.warning("store_available", seconds=round(now - self._down_since, 1))
            self._down_since = None

    def unavailable(self, failure: StoreUnavailable, /) -> None:
        """Log a failure of the store, once until it is back."""
        self._failed_last = self._monotonic()
        if self._down_since is None:
            self._down_since = self._failed_last
            _log.error("store_unavailable", reason=failure.reason)

    def wrote(self, appends: int, seconds: float) -> None:
        """Log a slow commit."""
        if seconds >= SLOW_COMMIT_SECONDS:
            _log.warning("slow_commit", appends=appends, seconds=round(seconds, 3))


def _log_failed_sends(
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
            # Recovery marks all channels of a dispatch, so one line is enough.
            _dispatch_log.warning("dispatch_recovered", request_id=append.request_id, **sent)
            return
        _dispatch_log.warning(
            f"dispatch_{outcome.status}",
            request_id=append.request_id,
            **sent,
            channel=str(outcome.channel),
            channel_account=outcome.channel_account_id,
            code=_safe_code(outcome.error_code),
            destination=masked(destination),
        )


def _place(error: BaseException) -> tuple[str, int] | None:
    """Return the file and line at which an exception was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return None if trace is None else (trace.tb_frame.f_code.co_filename, trace.tb_lineno)


def _safe_code(code: str | None) -> str:
    return code if code is not None and _CODE.fullmatch(code) else "other"
