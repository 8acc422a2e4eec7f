"""Superseding a PIN by a later one (C-15): one live code per template and destination."""

import pytest

from tests.domain.pin.story import (
    TEAPOT,
    blocked,
    dispatched,
    expired,
    give_way,
    issued,
    refused,
    resent,
    superseded,
    verified,
)
from tests.specs import given
from watchword.domain.event import Event
from watchword.domain.pin import Superseded, supersede


def test_a_pending_pin_gives_way() -> None:
    """A PENDING PIN is superseded, and knows by which."""
    (
        given(issued(), dispatched(1))
        .when(supersede, give_way(2))
        .then(superseded(2))
        .on_condition()
        .leaving(life=Superseded(TEAPOT))
    )


def test_a_pin_in_flight_gives_way() -> None:
    """A PIN whose dispatch is still out gives way, too: the acceptance that commits last owns."""
    given(issued()).when(supersede, give_way(2)).then(superseded(2))
    given(issued(), dispatched(1), resent(30)).when(supersede, give_way(31)).then(superseded(31))


def test_an_expired_pin_gives_way() -> None:
    """An expired PIN could be resent, so it is superseded as well."""
    given(issued(), expired(600)).when(supersede, give_way(601)).then(superseded(601))


@pytest.mark.parametrize(
    "end",
    [verified(1), blocked(1), superseded(1), dispatched(1, refused())],
    ids=["verified", "blocked", "superseded", "dispatch failed"],
)
def test_what_is_over_stays_as_it_is(end: Event) -> None:
    """A PIN that is verified, blocked, superseded or was never sent does not change."""
    given(issued(), end).when(supersede, give_way(2)).nothing()
