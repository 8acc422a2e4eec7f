"""A channel account: one provider's account for one channel (C-35, C-63)."""

from datetime import UTC, datetime

import attrs
import pytest

from tests.specs import given, state_after
from watchword.domain.accounts.channel_account import (
    ChannelAccountCreated,
    ChannelSecretsDropped,
    create,
    drop_secrets,
    redecide,
)
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
CREATED = ChannelAccountCreated(
    at=NOON,
    account_id="account-orchid",
    channel_type=Channel.EMAIL,
    provider="smtp",
    name="Post office",
    sender="tea@house.example",
    config={"host": "post.example", "password": "open sesame"},
    sealed=True,
)
LATER = datetime(2031, 5, 5, 12, tzinfo=UTC)


def test_a_channel_account_is_recorded_as_given() -> None:
    """A create records provider, sender and config, without any condition."""
    (
        given()
        .when(create, CREATED)
        .then(CREATED)
        .on_condition()
        .leaving(
            account_id="account-orchid",
            channel_type=Channel.EMAIL,
            provider="smtp",
            name="Post office",
            sender="tea@house.example",
            config={"host": "post.example", "password": "open sesame"},
            sealed=True,
            created_at=NOON,
            secrets_dropped_at=None,
        )
    )


@pytest.mark.parametrize("name", ["", "  ", "p" * 201])
def test_a_name_is_needed(name: str) -> None:
    """A name has 1 to 200 characters and no white space at its ends."""
    wrong = attrs.evolve(CREATED, name=name)
    refusal = given().when(create, wrong).refuses(ValidationFailedError)

    assert ["name"] == [problem.field for problem in refusal.problems]


def test_two_may_have_one_name() -> None:
    """Names of channel accounts are labels: nothing depends on their being unique."""
    given().when(create, attrs.evolve(CREATED, name="p" * 200)).on_condition()


def test_no_repr_shows_the_config() -> None:
    """Secrets of providers are write-only: neither the event nor the state shows them."""
    assert "open sesame" not in repr(CREATED)
    assert "open sesame" not in repr(state_after(CREATED))


def test_secrets_are_dropped_once() -> None:
    """An account without sealed secrets, or whose secrets are dropped already, has nothing to drop."""
    dropped = ChannelSecretsDropped(at=LATER)
    open_one = attrs.evolve(CREATED, sealed=False)

    given(CREATED).when(drop_secrets, LATER).then(dropped).leaving(secrets_dropped_at=LATER)
    given(CREATED, dropped).when(drop_secrets, LATER).then()
    given(open_one).when(drop_secrets, LATER).then()


def test_an_audit_repeats_both_decisions() -> None:
    """A second creation, or a second drop, is not what a decision makes (D-157)."""
    dropped = ChannelSecretsDropped(at=LATER)
    state = state_after(CREATED)

    assert ((CREATED,), (dropped,)) == (
        redecide(None, CREATED).events,
        redecide(state, dropped).events,
    )
    assert () == redecide(state, CREATED).events
    assert () == redecide(state_after(CREATED, dropped), dropped).events
