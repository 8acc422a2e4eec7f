"""Measures the log for Prometheus: who follows it, how far it is sealed, and what retention takes."""

from __future__ import annotations

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge

from ..application.evidence.sealing_log import LogState, SealingLog
from ..application.log_follower import LogFollower
from ..domain.event import Event
from ..domain.log_history import EventsPruned


class LogMeters:
    """Reads followers and sealing at every scrape, on the thread that scrapes, and counts prunings."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._lags = Gauge(
            "watchword_follower_lag",
            "Events of the log that a follower on this node has not read yet.",
            ("follower",),
            registry=registry,
        )
        self._sealed = Gauge(
            "watchword_log_sealed_size",
            "Events that the newest signed head covers.",
            registry=registry,
        )
        self._seal_lag = Gauge(
            "watchword_log_seal_lag_seconds",
            "Seconds at most that an event has waited for a signed head.",
            registry=registry,
        )
        self._forked = Gauge(
            "watchword_log_forked",
            "1 while the log does not extend its last head, so that nothing is signed.",
            registry=registry,
        )
        self._pruned = Counter(
            "watchword_events_pruned",
            "Events of which retention takes the sealed line (sealed), or all (stream).",
            ("part",),
            registry=registry,
        )

    def watch_follower(self, follower: LogFollower[Any]) -> None:
        """Read the lag of a follower of the log."""
        self._lags.labels(follower.name).set_function(lambda: follower.lag)

    def watch_sealing(self, sealing: SealingLog) -> None:
        """Read how far the log is sealed."""
        self._sealed.set_function(lambda: sealing.size)
        self._seal_lag.set_function(lambda: sealing.lag)
        self._forked.set_function(lambda: sealing.state is LogState.FORKED)

    def committed(self, event: Event) -> bool:
        """Count an event; return whether it is one of these."""
        if isinstance(event, EventsPruned):
            self._pruned.labels(str(event.what)).inc(event.size)
            return True
        return False
