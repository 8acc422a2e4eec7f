"""A channel account: one provider's account for one channel (C-35, C-63)."""

from datetime import UTC, datetime
from typing import Any

import attrs
import pytest

from tests.specs import given, state_after
from watchword.domain.accounts.channel_account import (
    ChannelAccountCreated,
    ChannelAccountDisabled,
    ChannelAccountEnabled,
    ChannelAccountEvent,
    ChannelAccountRevised,
    ChannelAccountTested,
    ChannelLimits,
    ChannelSecretsDropped,
    PrefixPrice,
    create,
    disable,
    drop_secrets,
    enable,
    failover_target,
    record_test,
    redecide,
    revise,
)
from watchword.domain.channel import Channel, OutcomeStatus
from watchword.domain.conditions import Hold, Release, SoleHolder
from watchword.domain.errors import ValidationFailedError

ID = "cha_post"
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
REVISED = ChannelAccountRevised(
    at=LATER,
    name="Second post office",
    sender=None,
    config={"host": "new-post.example", "password": "***"},
    sealed=True,
    resealed=True,
    limits=ChannelLimits(concurrency=4, rate_per_second=2, timeout_seconds=5),
    failover=("cha_second",),
    failover_on_unknown=True,
    prices=(PrefixPrice(prefix="44", amount="0.04", currency="GBP"),),
)
AS_CREATED = ChannelAccountRevised(
    at=LATER,
    name=CREATED.name,
    sender=CREATED.sender,
    config=CREATED.config,
    sealed=True,
)
TESTED = ChannelAccountTested(at=LATER, status=OutcomeStatus.ACCEPTED, provider_message_id="m-1")


def test_a_channel_account_is_recorded_as_given() -> None:
    """A create records provider, sender and config, without any condition."""
    (
        given()
        .when(create, ID, CREATED)
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
            limits=ChannelLimits(),
            failover=(),
            failover_on_unknown=None,
            prices=(),
            enabled=True,
            created_at=NOON,
            updated_at=NOON,
            secrets_dropped_at=None,
        )
    )


@pytest.mark.parametrize("name", ["", "  ", "p" * 201])
def test_a_name_is_needed(name: str) -> None:
    """A name has 1 to 200 characters and no white space at its ends."""
    wrong = attrs.evolve(CREATED, name=name)
    refusal = given().when(create, ID, wrong).refuses(ValidationFailedError)

    assert ["name"] == [problem.field for problem in refusal.problems]


def test_two_may_have_one_name() -> None:
    """Names of channel accounts are labels: nothing depends on their being unique."""
    given().when(create, ID, attrs.evolve(CREATED, name="p" * 200)).on_condition()


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


def test_a_revision_replaces_every_setting() -> None:
    """The event contains all settings, and the state has them; account and provider stay."""
    (
        given(CREATED)
        .when(revise, ID, REVISED)
        .then(REVISED)
        .leaving(
            account_id="account-orchid",
            channel_type=Channel.EMAIL,
            provider="smtp",
            name="Second post office",
            sender=None,
            config={"host": "new-post.example", "password": "***"},
            limits=REVISED.limits,
            failover=("cha_second",),
            failover_on_unknown=True,
            prices=REVISED.prices,
            created_at=NOON,
            updated_at=LATER,
        )
    )


def test_a_revision_without_a_change_is_none() -> None:
    """Nothing is recorded for the settings that the account has; new secrets look the same, and count."""
    resealed = attrs.evolve(AS_CREATED, resealed=True)

    given(CREATED).when(revise, ID, AS_CREATED).nothing()
    given(CREATED).when(revise, ID, resealed).then(resealed)


def test_each_sealing_is_counted() -> None:
    """The number tells whether a seal belongs to a state; a revision that keeps secrets keeps it (D-235)."""
    renamed = attrs.evolve(AS_CREATED, name="Renamed")

    assert 0 == state_after(attrs.evolve(CREATED, sealed=False)).sealings
    assert 1 == state_after(CREATED, renamed).sealings
    assert 3 == state_after(CREATED, REVISED, renamed, REVISED).sealings


def test_dropped_secrets_are_replaced_by_new_ones() -> None:
    """Secrets that are given anew are no longer dropped; a new name alone brings none back."""
    dropped = ChannelSecretsDropped(at=LATER)
    renamed = attrs.evolve(AS_CREATED, name="Renamed")
    without = attrs.evolve(renamed, config={"host": "post.example"}, sealed=False)

    given(CREATED, dropped).when(revise, ID, REVISED).leaving(secrets_dropped_at=None)
    given(CREATED, dropped).when(revise, ID, renamed).leaving(secrets_dropped_at=LATER)
    given(CREATED, dropped).when(revise, ID, without).leaving(secrets_dropped_at=None)
    given(CREATED, dropped, REVISED).when(drop_secrets, LATER).then(dropped)


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({"name": " "}, ["name"]),
        ({"sender": "tea\n@house.example"}, ["sender"]),
        ({"failover": ("cha_a", "cha_a")}, ["failover[1]"]),
        ({"failover": ("cha_a", ID)}, ["failover[1]"]),
        ({"failover": tuple(f"cha_{number}" for number in range(9))}, ["failover"]),
        ({"prices": 2 * REVISED.prices}, ["prices[1].prefix"]),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], wrong: list[str]) -> None:
    """Creations and revisions are refused with the place of each wrong setting."""
    creation = given().when(create, ID, attrs.evolve(CREATED, **settings))
    revision = given(CREATED).when(revise, ID, attrs.evolve(REVISED, **settings))

    for each in (creation, revision):
        refusal = each.refuses(ValidationFailedError)
        assert wrong == [problem.field for problem in refusal.problems]


def test_no_failover_leads_to_another() -> None:
    """An account with failover accounts is nobody's failover, and holds each of its own (D-216)."""
    own, second, third = map(failover_target, (ID, "cha_second", "cha_third"))
    alone = (SoleHolder(own, ID), Release(own, ID))
    moved = attrs.evolve(REVISED, failover=("cha_third",))
    created = attrs.evolve(CREATED, failover=("cha_second",))

    given().when(create, ID, created).on_condition(*alone, Hold(second, ID))
    given(CREATED).when(revise, ID, REVISED).on_condition(*alone, Hold(second, ID))
    given(created).when(revise, ID, moved).on_condition(
        *alone, Hold(third, ID), Release(second, ID)
    )
    given(created).when(revise, ID, AS_CREATED).on_condition(Release(second, ID))
    given(created).when(revise, ID, REVISED).on_condition()


def test_disabling_and_enabling_happen_once() -> None:
    """A disabled account is disabled already, an enabled one enabled; both say when."""
    disabled, enabled = ChannelAccountDisabled(at=LATER), ChannelAccountEnabled(at=LATER)

    given(CREATED).when(disable, LATER).then(disabled).leaving(enabled=False, updated_at=LATER)
    given(CREATED, disabled).when(disable, LATER).nothing()
    given(CREATED, disabled).when(enable, LATER).then(enabled).leaving(enabled=True)
    given(CREATED).when(enable, LATER).nothing()


@pytest.mark.parametrize(
    "event",
    [
        REVISED,
        ChannelAccountDisabled(at=LATER),
        ChannelAccountEnabled(at=LATER),
        TESTED,
        ChannelSecretsDropped(at=LATER),
    ],
)
def test_every_event_changes_the_state(event: ChannelAccountEvent) -> None:
    """A node that remembers what follows from a state never takes a changed account for it."""
    assert LATER == state_after(CREATED, event).updated_at


def test_a_test_is_recorded() -> None:
    """The stream holds the outcome and the provider's id, also of a disabled account's test."""
    given(CREATED).when(record_test, TESTED).then(TESTED)
    given(CREATED, ChannelAccountDisabled(at=NOON)).when(record_test, TESTED).then(TESTED)


@pytest.mark.parametrize(
    "event",
    [
        REVISED,
        ChannelAccountDisabled(at=LATER),
        TESTED,
        ChannelSecretsDropped(at=LATER),
    ],
)
def test_an_audit_repeats_each_decision(event: ChannelAccountEvent) -> None:
    """What a decision makes is repeated from the state before it (D-157)."""
    assert (event,) == redecide(state_after(CREATED), event).events


def test_an_audit_finds_what_no_decision_makes() -> None:
    """A second creation, a second drop, and an end of nothing are repeated by no decision (D-157)."""
    dropped, state = ChannelSecretsDropped(at=LATER), state_after(CREATED)

    assert (CREATED,) == redecide(None, CREATED).events
    assert () == redecide(state, CREATED).events
    assert () == redecide(state, AS_CREATED).events
    assert () == redecide(state, ChannelAccountEnabled(at=LATER)).events
    assert () == redecide(state_after(CREATED, dropped), dropped).events
