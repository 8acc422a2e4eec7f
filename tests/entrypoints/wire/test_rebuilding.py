"""A state rebuilt from the history equals the state of the events."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import attrs
import pytest
from hypothesis import given

from tests.strategies import events, stories
from watchword.application.ports.event_store import Recorded
from watchword.application.records import record_of
from watchword.domain.accounts.account import AccountCreated
from watchword.domain.accounts.api_key import ApiKeyRevoked
from watchword.domain.event import MASK, Event, secret_fields
from watchword.entrypoints.wire.codec import encode, unstructure
from watchword.entrypoints.wire.rebuilding import NotReadable, rebuilt
from watchword.entrypoints.wire.shown_events import shown_event


def shown(event: Event, version: int = 1, *, mask: bool = False) -> dict[str, object]:
    """Show an event of a stream, as it comes over HTTP."""
    recorded = Recorded(
        position=version,
        event_id=f"evt_{version}",
        stream="stream-1",
        version=version,
        type=type(event).__name__,
        schema=1,
        actor="admin",
        request_id="req_1",
        event=event,
    )
    shown: dict[str, object] = json.loads(encode(shown_event(recorded, mask=mask)))
    return shown


def without_secrets(value: Any) -> Any:
    """Put masks in place of secrets, in an event and in its values."""
    if isinstance(value, tuple):
        return tuple(without_secrets(each) for each in value)
    if not attrs.has(type(value)):
        return value
    secrets = set(secret_fields(type(value)))
    veiled = {}
    for each in attrs.fields(type(value)):
        held = getattr(value, each.name)
        instead = MASK if each.name in secrets and held is not None else without_secrets(held)
        if instead != held:
            veiled[each.name] = instead
    return attrs.evolve(value, **veiled)


@given(stories())
def test_every_event_can_be_rebuilt_from(story: tuple[Event, ...]) -> None:
    """Nothing but secrets is lost on the way over HTTP, for any event."""
    decider = record_of(story[0]).decider
    state = unstructure(decider.fold(map(without_secrets, story)))
    state.pop("life", None)
    replay = rebuilt([shown(event, version) for version, event in enumerate(story, start=1)])

    assert decider.kind == replay.kind
    assert state == {name: replay.state[name] for name in state}


@given(stories())
def test_a_masked_event_can_be_rebuilt_from(story: tuple[Event, ...]) -> None:
    """Masks take the place of values of the same type."""
    masked = [shown(event, version, mask=True) for version, event in enumerate(story, start=1)]

    assert record_of(story[0]).decider.kind == rebuilt(masked).kind


def test_a_history_that_lacks_its_beginning_is_said() -> None:
    """Without its first event a stream has no state."""
    revoked = ApiKeyRevoked(at=datetime(2031, 5, 4, 12, tzinfo=UTC))

    with pytest.raises(NotReadable, match="No api_key begins with ApiKeyRevoked"):
        rebuilt([shown(revoked)])


def test_a_history_that_begins_twice_is_said() -> None:
    """A forged second beginning is named, and does not start the state anew."""
    created = AccountCreated(at=datetime(2031, 5, 4, 12, tzinfo=UTC), name="acme")

    with pytest.raises(NotReadable, match="AccountCreated cannot follow"):
        rebuilt([shown(created), shown(created, 2)])


@given(events)
def test_events_of_a_later_release_are_said(event: Event) -> None:
    """A form of an event that this release does not know is not guessed at."""
    with pytest.raises(NotReadable, match="does not know"):
        rebuilt([{**shown(event), "schema": 99}])
