"""Stored events: closed topics, an envelope, and nothing lost on the way."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.adapters.event_store.log.owners import STREAM, VAULT
from tests.contracts.event_store.histories import FERN, ORCHID, grown, step
from watchword.adapters.event_store.log.converting import event_converter
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.adapters.event_store.log.lines import open_line_of
from watchword.adapters.event_store.log.mapper import EventMapper, UnreadableEvent
from watchword.adapters.event_store.log.stored_event import StoredEvent
from watchword.application.ports.event_store import Append, Change
from watchword.application.records import RECORDS
from watchword.domain.channel import Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.event import Event
from watchword.domain.pin import PinDispatched
from watchword.domain.rate_limit import Rate

MAPPER = EventMapper(VAULT)
ENVELOPE = {
    "id": "evt_1",
    "at": "2031-05-04T12:00:00Z",
    "actor": "a",
    "request": "r",
    "account": None,
}


def stored(topic: str, **data: Any) -> StoredEvent:
    """Return a stored event under some topic."""
    return StoredEvent(ORCHID, 1, topic, json.dumps({**ENVELOPE, "data": data}).encode() + b"\n\n")


def written(event: Event) -> Append:
    """Put one event into an append."""
    return step(Change(STREAM, 4, (event,), None))


def test_every_event_of_every_decider_has_its_own_topic() -> None:
    """No two events share a name, so every event of a decider can be stored and read again."""
    recorded = [kind for record in RECORDS for kind in record.decider.events]

    assert recorded == list(EVENT_TYPES.values())


@pytest.mark.parametrize(
    "topic",
    [
        "PinIssued/2",
        "PinIssued/0",
        "PinIssued",
        "PinIssued/",
        "pinissued/1",
        "PinForgotten/1",
        "watchword.domain.pin:PinVerified",
        "",
    ],
)
def test_an_unknown_topic_is_refused(topic: str) -> None:
    """Only topics of the registry are read; nothing is ever imported by its topic."""
    with pytest.raises(UnreadableEvent):
        MAPPER.to_recorded(stored(topic, issue=1), 1, {})


def test_one_of_several_kinds_or_none_is_written_as_its_own() -> None:
    """The first kind may lack fields that another has."""
    converter = event_converter(frozenset())

    assert "3/10s" == converter.unstructure(Rate("3/10s"), unstructure_as=int | Rate | None)


def test_the_envelope_is_stored_around_the_data() -> None:
    """Id, time, actor and request stand beside the event's own data, each once."""
    (state,) = MAPPER.to_stored(MAPPER.planned(step(grown(ORCHID))))
    envelope = json.loads(open_line_of(state.state))

    assert ["id", "at", "actor", "request", "account", "data"] == list(envelope)
    assert "2031-05-04T12:00:01Z" == envelope["at"]
    assert "gardener" == envelope["actor"]
    assert "req-noon" == envelope["request"]
    assert "account-garden" == envelope["account"]
    assert "at" not in envelope["data"]


def test_versions_go_on_from_the_expected_one() -> None:
    """Events are numbered within their stream, change by change."""
    states = MAPPER.to_stored(MAPPER.planned(step(grown(ORCHID, by=2), grown(FERN, at=5))))

    assert [(ORCHID, 1), (ORCHID, 2), (FERN, 6)] == [
        (each.originator_id, each.originator_version) for each in states
    ]
    assert ["ApiKeyCreated/1", "ApiKeyUsed/1", "ApiKeyUsed/1"] == [each.topic for each in states]


def test_event_ids_never_repeat() -> None:
    """Each time that an event is written it gets an id of its own."""
    ids = {
        json.loads(open_line_of(each.state))["id"]
        for _ in range(50)
        for each in MAPPER.to_stored(MAPPER.planned(step(grown(FERN))))
    }

    assert 50 == len(ids)


def test_an_outcome_without_attempts_is_stored_as_before() -> None:
    """What few outcomes have takes no byte of the others (D-228)."""
    outcome = ChannelOutcome(
        channel=Channel.SMS,
        channel_account_id="cha_tea",
        status=OutcomeStatus.ACCEPTED,
        provider_message_id="provider-42",
    )
    at = datetime(2031, 5, 4, 12, tzinfo=UTC)
    (kept,) = MAPPER.to_stored(
        MAPPER.planned(written(PinDispatched(at=at, issue=1, outcomes=(outcome,))))
    )

    assert [
        "channel",
        "channel_account_id",
        "status",
        "error_code",
        "error_message",
    ] == list(json.loads(open_line_of(kept.state))["data"]["outcomes"][0])
