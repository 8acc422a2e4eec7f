"""Check what providers say in events, and no decision looks at: segments, prices, tests (C-72)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...domain.accounts.channel_account import ChannelAccountTested
from ...domain.channel import OutcomeStatus
from ...domain.event import Event
from ...domain.fallback_run import FallbackDispatched
from ...domain.message import MessageDispatched, MessageReported
from ...domain.parked_receipt import ReceiptParked
from ...domain.pin import PinDispatched, PinReported
from ..provider_calls.outcomes import checked_price, checked_segments


def impossible_facts(event: Event) -> Iterator[str]:
    """Yield the members of an event with values that no send and no receipt has (D-261)."""
    match event:
        case MessageReported() | PinReported() | ReceiptParked():
            yield from _counted(event.segments, event.price)
        case MessageDispatched() | FallbackDispatched():
            yield from _counted(event.outcome.segments, event.outcome.price, event.outcome.rate)
        case PinDispatched():
            for each in event.outcomes:
                yield from _counted(each.segments, each.price, each.rate)
        case ChannelAccountTested():
            # Only an acceptance has no code.
            if (event.status is OutcomeStatus.ACCEPTED) != (event.code is None):
                yield "code"


def _counted(segments: Any, price: Any, rate: Any = None) -> Iterator[str]:
    if segments is not None and checked_segments(segments) is None:
        yield "segments"
    if price is not None and checked_price(price) is None:
        yield "price"
    if rate is not None and checked_price(rate) is None:
        yield "rate"
