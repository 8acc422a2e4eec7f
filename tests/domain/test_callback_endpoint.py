"""Callback endpoints: which types they take, and that a removed one stays so (C-53)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import attrs
import pytest
from attrs import evolve

from watchword.domain import callback_endpoint
from watchword.domain.callback_endpoint import (
    CallbackEndpoint,
    CallbackEndpointCreated,
    CallbackEndpointRemoved,
    CallbackEndpointTested,
    CallbackRedelivered,
    CallbackRemovedError,
    CallbackType,
    callback_endpoint_decider,
    create,
    redeliver,
    remove,
    wants,
)
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
CREATED = CallbackEndpointCreated(
    at=NOON, account_id="acc_tea", url="https://tea.example/told", events=("pin.*",)
)


def test_an_endpoint_is_created_with_each_pattern_once() -> None:
    """The patterns keep their order."""
    twice = evolve(CREATED, events=("pin.*", "message.inbound", "pin.*"))

    assert (evolve(CREATED, events=("pin.*", "message.inbound")),) == create(twice).events


def test_patterns_beyond_all_that_there_are_are_refused_at_once() -> None:
    """Naming each of a hundred thousand would be an answer of ninety megabytes."""
    with pytest.raises(ValidationFailedError) as refused:
        create(evolve(CREATED, events=("tea.*",) * 100_000))

    assert ["events"] == [each.field for each in refused.value.problems]


@pytest.mark.parametrize(
    "pattern", ["", "pin", "pin.", "PIN.*", "tea.*", "pin.ver*", "*.verified", "**", "pin.tea"]
)
def test_other_patterns_are_refused(pattern: str) -> None:
    """The refusal lists the allowed ones, since a misspelt pattern would never match."""
    with pytest.raises(ValidationFailedError) as refused:
        create(evolve(CREATED, events=("pin.*", pattern)))

    assert ["events[1]"] == [each.field for each in refused.value.problems]


def test_an_endpoint_of_nothing_is_refused() -> None:
    """It would never receive an event."""
    with pytest.raises(ValidationFailedError):
        create(evolve(CREATED, events=()))


def test_an_endpoint_is_removed_once() -> None:
    """The second time, nothing happens."""
    live = callback_endpoint_decider.fold([CREATED])
    removed = callback_endpoint_decider.fold([*remove(live, NOON).events], live)

    assert (CallbackEndpointRemoved(at=NOON),) == remove(live, NOON).events
    assert CallbackEndpoint(
        account_id="acc_tea",
        url="https://tea.example/told",
        events=("pin.*",),
        created_at=NOON,
        removed_at=NOON,
    ) == (removed)
    assert () == remove(removed, NOON).events


def test_what_is_sent_by_hand_is_on_the_record() -> None:
    """A test and a redelivery are events; the endpoint stays as it is, but for when it was asked."""
    live = callback_endpoint_decider.fold([CREATED])
    tested, again = (
        callback_endpoint.test(live, NOON, "dlv_one").events,
        redeliver(live, NOON, "dlv_two").events,
    )

    assert (CallbackEndpointTested(at=NOON, delivery_id="dlv_one"),) == tested
    assert (CallbackRedelivered(at=NOON, delivery_id="dlv_two"),) == again
    asked = callback_endpoint_decider.fold([*tested, *again], live)
    assert attrs.evolve(live, asked_at=NOON) == asked


@pytest.mark.parametrize("act", [callback_endpoint.test, redeliver])
def test_nothing_is_sent_to_a_removed_endpoint(act: Callable[..., object]) -> None:
    """Its secret is gone, so nothing could be signed."""
    live = callback_endpoint_decider.fold([CREATED])
    removed = callback_endpoint_decider.fold([*remove(live, NOON).events], live)

    with pytest.raises(CallbackRemovedError):
        act(removed, NOON, "dlv_one")


@pytest.mark.parametrize("pattern", ["callback.test", "callback.*"])
def test_nobody_asks_for_tests(pattern: str) -> None:
    """A test is sent to the endpoint that is tested, whatever it asked for (D-511)."""
    with pytest.raises(ValidationFailedError):
        create(evolve(CREATED, events=(pattern,)))


@pytest.mark.parametrize(
    ("patterns", "wanted"),
    [
        (("*",), set(CallbackType)),
        (("fallback.*",), {"fallback.fired", "fallback.stood_down", "fallback.rejected"}),
        (
            ("pin.verified", "template.*"),
            {"pin.verified", "template.approved", "template.rejected"},
        ),
    ],
)
def test_patterns_choose_types(patterns: tuple[str, ...], wanted: set[str]) -> None:
    """Everything, an area, or one."""
    assert wanted == {each for each in CallbackType if wants(patterns, each)}
