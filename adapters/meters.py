"""
Metrics for Prometheus, in a registry of their own.

The code lists the values of every label: none is a destination, id, path or text of a client or
provider (C-32). So the number of series is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from ..application.ports.event_store import Append, StoreUnavailable
from ..application.ports.provider_observer import LeftOut
from ..application.provider_calls import SendLoad
from ..application.records.callback_delivery import CallbackDeliveryRow
from ..domain.channel import ChannelOutcome
from ..domain.event import Event
from ..domain.fallback_run import (
    FallbackArmed,
    FallbackFired,
    FallbackRejected,
    FallbackStoodDown,
    FallbackTriggered,
)
from ..domain.message import MessageDispatched
from ..domain.pin import PinDispatched
from .log_meters import LogMeters
from .pin_meters import PinMeters, channel_label

EXPOSITION_TYPE = CONTENT_TYPE_LATEST
# In seconds, from an answer out of memory to the time-out of providers.
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)
_RUN_LABELS: Mapping[type[Event], str] = {
    FallbackArmed: "armed",
    FallbackTriggered: "triggered",
    FallbackFired: "fired",
    FallbackStoodDown: "stood_down",
    FallbackRejected: "rejected",
}
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Meters:
    """Counts requests, verdicts, dispatches and commits."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        for kind in (ProcessCollector, PlatformCollector, GCCollector):
            kind(registry=registry)
        self._children: dict[tuple[Any, ...], Any] = {}
        self._requests = Histogram(
            "watchword_request_seconds",
            "Time to answer a request, by route template, method and class of status.",
            ("route", "method", "status"),
            buckets=_SECONDS,
            registry=registry,
        )
        self._verdicts = Counter(
            "watchword_verdicts",
            "Verdicts of verify calls: verified, failed, blocked, expired, rate_limited.",
            ("verdict",),
            registry=registry,
        )
        self._refused_keys = Counter(
            "watchword_authentication_failures",
            "Requests without a valid key or token, whatever their HTTP status.",
            registry=registry,
        )
        self._dispatches = Counter(
            "watchword_dispatches",
            "Sends handed to a provider: accepted, rejected, or unknown without an answer.",
            ("channel", "outcome"),
            registry=registry,
        )
        self._failovers = Counter(
            "watchword_failovers",
            "Attempts after which a send went on: rejected, or unknown, which may cost a second message.",
            ("channel", "outcome"),
            registry=registry,
        )
        self._turns = Counter(
            "watchword_breaker_turns",
            "Breakers of channel accounts that turned open or closed.",
            ("state",),
            registry=registry,
        )
        self._breakers = Gauge(
            "watchword_breakers",
            "Channel accounts whose breaker is open or half_open in this process.",
            ("state",),
            registry=registry,
        )
        self._sends = Gauge(
            "watchword_provider_sends",
            "Sends to providers in this process: under_way, or waiting for their channel account.",
            ("state",),
            registry=registry,
        )
        self._runs = Counter(
            "watchword_fallback_runs",
            "Events of fallback runs: armed, triggered, fired, stood_down, rejected.",
            ("event",),
            registry=registry,
        )
        self._pins = PinMeters(registry)
        self.log = LogMeters(registry)
        self._callbacks = Counter(
            "watchword_callback_attempts",
            "Attempts to deliver a callback: delivered, failed (to be repeated), or given_up.",
            ("outcome",),
            registry=registry,
        )
        self._left_out = Counter(
            "watchword_report_parts_left_out",
            "Parts of providers' posts that were acknowledged and not recorded: unreadable,"
            " inapplicable, or unaddressed (about no channel account with the same secret).",
            ("reason",),
            registry=registry,
        )
        self._unavailable = Counter(
            "watchword_store_failures",
            "Reads and writes that failed or timed out in the store.",
            registry=registry,
        )
        self._appends = Histogram(
            "watchword_append_seconds",
            "Time that a use case waited for its append, in the queue and for the commit.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._sizes = Histogram(
            "watchword_commit_appends",
            "Appends that shared a commit.",
            buckets=_SIZES,
            registry=registry,
        )
        self._commits = Histogram(
            "watchword_commit_seconds",
            "Time of a commit, including the way to the writer and back.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._waiting = Gauge(
            "watchword_appends_waiting", "Appends that wait for their commit.", registry=registry
        )
        self._connections = Gauge(
            "watchword_open_connections", "Connections of clients.", registry=registry
        )

    def exposition(self) -> bytes:
        """Return all metrics as text of `EXPOSITION_TYPE`."""
        return generate_latest(self._registry)

    def watch_appends(self, waiting: Callable[[], int]) -> None:
        """Read the number of waiting appends at every scrape, on the thread that scrapes."""
        self._waiting.set_function(waiting)

    def watch_sends(self, load: Callable[[], SendLoad]) -> None:
        """Read the sends and the breakers at every scrape, on the thread that scrapes."""
        self._sends.labels("under_way").set_function(lambda: load().under_way)
        self._sends.labels("waiting").set_function(lambda: load().waiting)
        self._breakers.labels("open").set_function(lambda: load().open)
        self._breakers.labels("half_open").set_function(lambda: load().half_open)

    def watch_connections(self, count: Callable[[], int]) -> None:
        """Count the connections at every scrape, on the thread that scrapes."""
        self._connections.set_function(count)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count an answer; `route` is a path template, and `method` one of a fixed list."""
        self._child(self._requests, route, method, f"{status // 100}xx").observe(seconds)

    def judged(self, verdict: str) -> None:
        """Count a verdict."""
        self._child(self._verdicts, verdict).inc()

    def unauthorized(self) -> None:
        """Count a request without a valid key or token."""
        self._refused_keys.inc()

    def committed(self, append: Append, seconds: float, /) -> None:
        """Measure an append, and count the dispatch outcomes in it."""
        self._appends.observe(seconds)
        for change in append.changes:
            for event in change.events:
                match event:
                    case PinDispatched(outcomes=outcomes):
                        for each in outcomes:
                            self._dispatched(each)
                    case MessageDispatched(outcome=outcome):
                        self._dispatched(outcome)
                    case _ if self._pins.committed(event) or self.log.committed(event):
                        pass
                    case _ if (word := _RUN_LABELS.get(type(event))) is not None:
                        self._child(self._runs, word).inc()
                    case _:
                        pass

    def attempted(self, delivery: CallbackDeliveryRow, /) -> None:
        """Count an attempt to deliver a callback."""
        failed = "failed" if delivery.next_attempt_at else "given_up"
        outcome = "delivered" if delivery.error is None else failed
        self._child(self._callbacks, outcome).inc()

    def left_out(self, _account: str, reason: LeftOut, _error: str | None, number: int, /) -> None:
        """Count parts of a provider's post that were not recorded."""
        self._child(self._left_out, str(reason)).inc(number)

    def breaker_turned(self, _account: str, state: str, _seconds: float, /) -> None:
        """Count a breaker that opened or closed."""
        self._child(self._turns, state).inc()

    def templates_not_looked_up(self, *_: object) -> None:
        """Do nothing: the next look-up may tell them."""

    def adapter_failed(self, *_: object) -> None:
        """Do nothing: its send counts as unknown already."""

    def available(self) -> None:
        """Do nothing: only failures are counted."""

    def unavailable(self, _: StoreUnavailable, /) -> None:
        """Count a failure of the store."""
        self._unavailable.inc()

    def wrote(self, appends: int, seconds: float) -> None:
        """Measure a commit."""
        self._sizes.observe(appends)
        self._commits.observe(seconds)

    def _dispatched(self, outcome: ChannelOutcome) -> None:
        channel = channel_label(outcome.channel)
        self._child(self._dispatches, channel, str(outcome.status)).inc()
        for attempt in outcome.tried[:-1]:
            self._child(self._failovers, channel, str(attempt.status)).inc()

    def _child(self, metric: Counter | Histogram, *labels: str) -> Any:
        # Finding a child by its labels costs more than incrementing it.
        child = self._children.get((metric, *labels))
        if child is None:
            child = self._children[(metric, *labels)] = metric.labels(*labels)
        return child
