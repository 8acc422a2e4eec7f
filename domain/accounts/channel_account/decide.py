"""A channel account: an account at one provider for one channel, with its settings (C-35, C-63)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

import attrs
from attrs import field, frozen

from ...channel import Channel, ChannelName, with_adapters
from ...decider import Decider, Decision, as_the_first, begun
from ...errors import FieldProblem, UnknownIdError, ValidationFailedError
from ...event import Event
from ...limits import NO_CONTROLS, has_controls
from ...naming import name_problems


class ChannelAccountNotFoundError(UnknownIdError):
    """No channel account has this id."""

    code = "channel_account_not_found"
    kind = "channel account"


@frozen(kw_only=True)
class ChannelAccountCreated(Event):
    """
    A channel account was created; `config` has the form that its provider declares.

    Its secret settings are `***`. If there are any, they are `sealed` under the account's id (D-197).
    """

    SCHEMA = 2

    account_id: str
    channel_type: ChannelName
    provider: str
    name: str
    sender: str | None = None
    config: Mapping[str, Any] = field(repr=False)
    sealed: bool = False


@frozen(kw_only=True)
class ChannelSecretsDropped(Event):
    """The sealed secrets were dropped, because the code key that opens them is lost (C-3)."""


ChannelAccountEvent = ChannelAccountCreated | ChannelSecretsDropped


@frozen(kw_only=True)
class ChannelAccount:
    """The state of a channel account."""

    account_id: str
    channel_type: ChannelName
    provider: str
    name: str
    sender: str | None
    config: Mapping[str, Any] = field(repr=False)
    sealed: bool
    created_at: datetime
    secrets_dropped_at: datetime | None = None


def create(created: ChannelAccountCreated, adapters: Collection[str] = ()) -> Decision:
    """
    Create a channel account. The caller has had the provider check `config`.

    `adapters` are the names under which third-party adapters are registered; each may be a channel
    (C-52).
    """
    problems = name_problems(created.name)
    known = with_adapters(tuple(Channel), adapters)
    if created.channel_type not in known:
        problems.append(FieldProblem("channel_type", f"must be one of {', '.join(known)}"))
    if created.sender is not None and has_controls(created.sender):
        problems.append(FieldProblem("sender", NO_CONTROLS))
    if problems:
        raise ValidationFailedError(problems)
    return Decision((created,))


def drop_secrets(account: ChannelAccount, at: datetime) -> Decision:
    """Drop the sealed secrets; nothing happens without secrets, or when they are dropped already."""
    if not account.sealed or account.secrets_dropped_at is not None:
        return Decision()
    return Decision((ChannelSecretsDropped(at=at),))


def begin(event: ChannelAccountCreated) -> ChannelAccount:
    """Return the state after the first event."""
    return begun(ChannelAccount, event)


def evolve(account: ChannelAccount, event: ChannelSecretsDropped) -> ChannelAccount:
    """Apply a later event."""
    return attrs.evolve(account, secrets_dropped_at=event.at)


def redecide(account: ChannelAccount | None, event: ChannelAccountEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if account is None or isinstance(event, ChannelAccountCreated):
        return as_the_first(account, event)
    return drop_secrets(account, event.at)


channel_account_decider: Decider[ChannelAccount] = Decider(
    "channel_account", begin, (ChannelAccountCreated,), evolve, (ChannelSecretsDropped,)
)
