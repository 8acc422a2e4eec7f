"""
Metrics for Prometheus, in a registry of this service alone.

Every label takes its values from a list that the code closes: no destination, id, path or text of a
client or provider is among them (C-32), so their number cannot grow.
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
from ..application.records.callback_delivery import CallbackDeliveryRow
from ..domain.channel import Channel, ChannelOutcome
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

EXPOSITION_TYPE = CONTENT_TYPE_LATEST
# Seconds: from an answer out of memory to the provider time-out.
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)
_RUN_WORDS: Mapping[type[Event], str] = {
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
            "What verify calls were told: verified, failed, blocked, expired, rate_limited.",
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
            "Sends handed to a provider: accepted, rejected, or unknown where nobody heard.",
            ("channel", "outcome"),
            registry=registry,
        )
        self._runs = Counter(
            "watchword_fallback_runs",
            "What became of fallback runs: armed, triggered, fired, stood_down, rejected.",
            ("event",),
            registry=registry,
        )
        self._callbacks = Counter(
            "watchword_callback_attempts",
            "Attempts to deliver a callback: delivered, failed and tried again, or given up.",
            ("outcome",),
            registry=registry,
        )
        self._unavailable = Counter(
            "watchword_store_failures",
            "Reads and writes that the store could not do, or not in time.",
            registry=registry,
        )
        self._appends = Histogram(
            "watchword_append_seconds",
            "Time that a use case waited for its append: in the queue, and for the commit.",
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
            "Time that a commit took the writer, on its way there and back too.",
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
        """Have the queue of appends looked at on every reading, by whatever thread reads."""
        self._waiting.set_function(waiting)

    def watch_connections(self, count: Callable[[], int]) -> None:
        """Have the connections counted on every reading, by whatever thread reads."""
        self._connections.set_function(count)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count an answer; `route` is a template and `method` one of the known ones."""
        self._child(self._requests, route, method, f"{status // 100}xx").observe(seconds)

    def judged(self, verdict: str) -> None:
        """Count a verdict."""
        self._child(self._verdicts, verdict).inc()

    def unauthorized(self) -> None:
        """Count a key or token that opened nothing."""
        self._refused_keys.inc()

    def committed(self, append: Append, seconds: float, /) -> None:
        """Measure an append, and count the sends whose outcome it records."""
        self._appends.observe(seconds)
        for change in append.changes:
            for event in change.events:
                match event:
                    case PinDispatched(outcomes=outcomes):
                        for each in outcomes:
                            self._dispatched(each)
                    case MessageDispatched(outcome=outcome):
                        self._dispatched(outcome)
                    case _ if (word := _RUN_WORDS.get(type(event))) is not None:
                        self._child(self._runs, word).inc()
                    case _:
                        pass

    def attempted(self, delivery: CallbackDeliveryRow, /) -> None:
        """Count an attempt."""
        failed = "failed" if delivery.next_attempt_at else "given_up"
        outcome = "delivered" if delivery.error is None else failed
        self._child(self._callbacks, outcome).inc()

    def available(self) -> None:
        """Nothing is counted of what is as it should be."""

    def unavailable(self, _: StoreUnavailable, /) -> None:
        """Count a failure of the store."""
        self._unavailable.inc()

    def wrote(self, appends: int, seconds: float) -> None:
        """Measure a commit."""
        self._sizes.observe(appends)
        self._commits.observe(seconds)

    def _dispatched(self, outcome: ChannelOutcome) -> None:
        channel = outcome.channel if outcome.channel in tuple(Channel) else "other"
        self._child(self._dispatches, str(channel), str(outcome.status)).inc()

    def _child(self, metric: Counter | Histogram, *labels: str) -> Any:
        # Finding a child by its labels costs more than counting in it.
        child = self._children.get((metric, *labels))
        if child is None:
            child = self._children[(metric, *labels)] = metric.labels(*labels)
        return child
