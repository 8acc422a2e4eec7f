"""Callback endpoints: which types they take, and that a removed one stays so (C-53)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from attrs import evolve

from watchword.domain.callback_endpoint import (
    CallbackEndpoint,
    CallbackEndpointCreated,
    CallbackEndpointRemoved,
    CallbackType,
    callback_endpoint_decider,
    create,
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
