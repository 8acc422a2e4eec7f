"""Marked fields inside the values of an event are veiled like its own fields (C-31, C-38)."""

import json
from datetime import UTC, datetime
from typing import Any

import attrs
import pytest

from watchword.application.ports.event_store import Recorded
from watchword.domain.event import ERASED, MASK, Event
from watchword.domain.fallback_run import FallbackArmed, FallbackStep
from watchword.domain.message import (
    MessageReceived,
    MessageSubmitted,
    WhatsappTemplateContent,
)
from watchword.entrypoints.wire.codec import encode
from watchword.entrypoints.wire.shown_events import shown_data, shown_event

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
GUEST, OOLONG, SEALED = "+919812345610", "oolong for Ada", "gAAAAABo"
TEMPLATE = WhatsappTemplateContent(
    name="tea_is_ready", language="en", components=({"type": "body", "text": OOLONG},)
)
ARMED = FallbackArmed(
    at=NOON,
    account_id="acc_orchid",
    person_id="per_guest",
    message_id="msg_kettle",
    fallback_id="tea-first",
    waittime_seconds=60,
    deadline=NOON,
    steps=(
        FallbackStep(
            person_id="per_guest",
            channel="whatsapp",
            sender="tea",
            recipient=GUEST,
            content=TEMPLATE,
        ),
        FallbackStep(
            person_id="per_guest",
            channel="sms",
            sender="tea",
            recipient=GUEST,
            sealed=SEALED,
            cust_refs={"a": OOLONG},
        ),
    ),
)
SUBMITTED = MessageSubmitted(
    at=NOON,
    account_id="acc_orchid",
    person_id="per_guest",
    channel="whatsapp",
    channel_account_id="cha_counter",
    sender="tea",
    recipient=GUEST,
    content=TEMPLATE,
    cust_refs={"custref1": OOLONG},
)
RECEIVED = MessageReceived(
    at=NOON,
    account_id="acc_orchid",
    person_id="per_guest",
    channel="whatsapp",
    channel_account_id="cha_counter",
    sender=GUEST,
    recipient="tea",
    text=OOLONG,
)


def shown(event: Event, *, mask: bool) -> dict[str, Any]:
    """Show an event's data as it leaves."""
    data: dict[str, Any] = json.loads(encode(shown_data(event, mask=mask)))
    return data


@pytest.mark.parametrize("mask", [True, False])
def test_sealed_texts_are_in_no_history(mask: bool) -> None:
    """Even the seal of a fallback's code is hidden; without a seal, none is shown."""
    data = shown(ARMED, mask=mask)

    assert [None, MASK] == [step["sealed"] for step in data["steps"]]
    assert SEALED not in json.dumps(data)


@pytest.mark.parametrize(
    "event", [ARMED, SUBMITTED, RECEIVED], ids=lambda each: type(each).__name__
)
def test_a_masked_history_says_nothing_of_a_person(event: Event) -> None:
    """Recipients are masked as destinations are; texts, parameters and references read `***`."""
    plain, veiled = (json.dumps(shown(event, mask=mask)) for mask in (False, True))

    assert GUEST in plain
    assert OOLONG in plain
    assert GUEST not in veiled
    assert OOLONG not in veiled
    assert "+9198******10" in veiled


def test_masks_stand_inside_the_value_that_they_veil() -> None:
    """The kind of a content and the names of its members stay, so that the event can be read."""
    content = shown(SUBMITTED, mask=True)["content"]

    assert ("whatsapp_template", "tea_is_ready") == (content["kind"], content["name"])
    assert [{"type": MASK, "text": MASK}] == content["components"]


def test_what_is_shown_leaves_the_event_alone() -> None:
    """The event itself does not change."""
    shown(ARMED, mask=True)

    assert SEALED == ARMED.steps[1].sealed
    assert {"type": "body", "text": OOLONG} == TEMPLATE.components[0]


@pytest.mark.parametrize("mask", [True, False])
def test_what_was_erased_reads_so_under_a_mask_too(mask: bool) -> None:
    """A masked history says which of its people were erased (C-74)."""
    erased = attrs.evolve(
        SUBMITTED, recipient=ERASED, cust_refs={ERASED: ERASED}, link_codes=(ERASED,), content=None
    )
    data = shown(erased, mask=mask)

    assert (ERASED, {ERASED: ERASED}, [ERASED]) == (
        data["recipient"],
        data["custRefs"],
        data["linkCodes"],
    )


@pytest.mark.parametrize("person", ["per_rose", None])
def test_an_envelope_names_the_person_if_there_is_one(person: str | None) -> None:
    """Events that belong to no person lack the member (C-100)."""
    recorded = Recorded(
        position=1,
        event_id="evt_1",
        stream="msg_1",
        version=1,
        type="MessageReceived",
        schema=1,
        actor="cha_counter",
        request_id="req_1",
        account="acc_orchid",
        person=person,
        event=RECEIVED,
    )
    envelope = shown_event(recorded, mask=True)

    assert person == envelope.get("person")
    assert (person is None) is ("person" not in envelope)
