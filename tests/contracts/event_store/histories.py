"""
What the tests of the event store write: API keys whose every event is known in advance.

The first event of a key's stream is its creation, every later one a use; number n happens at second
n. So a test names a stream and a version, and knows the events and the state.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from watchword.application.ports.event_store import Append, Change, Loaded
from watchword.domain.accounts.api_key import (
    ApiKey,
    ApiKeyCreated,
    ApiKeyUsed,
    Scope,
    api_key_decider,
)
from watchword.domain.event import Event
from watchword.domain.rate_limit import Rate

ORCHID, FERN, MOSS = "key-orchid", "key-fern", "key-moss"
GARDENER = "gardener"
NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
ONE_MICROSECOND = timedelta(microseconds=1)


def second(number: float) -> datetime:
    """Return the time that many seconds after noon."""
    return NOON + timedelta(seconds=number)


def event(stream: str, version: int) -> Event:
    """Return the event that leads a stream to this version."""
    if version > 1:
        return ApiKeyUsed(at=second(version))
    return ApiKeyCreated(
        at=second(1),
        account_id="account-garden",
        name=stream,
        prefix="ww_garden",
        key_hash=f"hash of {stream}",
        scopes=(Scope.PINS,),
    )


def history(stream: str, version: int) -> tuple[Event, ...]:
    """Return all events of a stream that is at this version."""
    return tuple(event(stream, each) for each in range(1, version + 1))


def loaded(stream: str, version: int) -> Loaded[ApiKey]:
    """Return what loading a stream at this version finds."""
    return Loaded(api_key_decider.fold(history(stream, version)), version)


def grown(stream: str, *, at: int = 0, by: int = 1) -> Change:
    """Return the change that takes a stream `by` events beyond version `at`."""
    events = history(stream, at + by)
    return Change(stream, at, events[at:], api_key_decider.fold(events))


def step(*changes: Change, at: datetime = NOON, **more: Any) -> Append:
    """Put changes and other parts into one append."""
    return Append(at=at, actor=GARDENER, request_id="req-noon", changes=changes, **more)


def per_seconds(count: int, seconds: int = 10) -> Rate:
    """Return a ceiling of `count` uses in any window of so many seconds."""
    return Rate(f"{count}/{seconds}s")
