"""Counts what becomes of codes, for Prometheus; the values of every label are listed here (C-32)."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter

from ..domain.channel import Channel, ChannelName
from ..domain.event import Event
from ..domain.guard.counted_decision import SendsRefused
from ..domain.pin import PinBlocked, PinIssued, PinReported, PinResent, PinVerified

_WORDS: Mapping[type[Event], str] = {
    PinIssued: "issued",
    PinResent: "resent",
    PinVerified: "verified",
    PinBlocked: "blocked",
}
_TEST = "test"


class PinMeters:
    """Counts codes and their ends, their receipts, and what the guard refused."""

    def __init__(self, registry: CollectorRegistry) -> None:
        codes = Counter(
            "watchword_pins",
            "Codes and their ends: issued, resent, verified, blocked, or test for a test destination.",
            ("event",),
            registry=registry,
        )
        # Finding a child by its label costs more than incrementing it.
        self._codes = {each: codes.labels(each) for each in (*_WORDS.values(), _TEST)}
        self._receipts = Counter(
            "watchword_pin_receipts",
            "Receipts for codes: sent, delivered, read, failed.",
            ("channel", "status"),
            registry=registry,
        )
        self._refused = Counter(
            "watchword_refused_sends",
            "Sends and guesses that a rule of the guard refused, counted when their minute has ended.",
            ("rule",),
            registry=registry,
        )

    def committed(self, event: Event) -> bool:
        """Count an event; return whether it is one of these."""
        word = _WORDS.get(type(event))
        if word is not None:
            is_test = isinstance(event, PinIssued) and event.test
            self._codes[_TEST if is_test else word].inc()
        elif isinstance(event, PinReported):
            self._receipts.labels(channel_label(event.channel), str(event.status)).inc()
        elif isinstance(event, SendsRefused):
            self._refused.labels(str(event.rule)).inc(event.count)
        else:
            return False
        return True


def channel_label(channel: ChannelName) -> str:
    """Return the label of a channel; those of third parties share one."""
    return str(channel) if channel in tuple(Channel) else "other"
