"""A channel account: an account at one provider for one channel, with its settings (C-35, C-63)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from ..channel import Channel, ChannelName, with_adapters
from ..decider import Decider, Decision, begun
from ..errors import FieldProblem, UnknownIdError, ValidationFailedError
from ..event import Event
from ..limits import NO_CONTROLS, has_controls
from ..naming import name_problems


class ChannelAccountNotFoundError(UnknownIdError):
    """No channel account has this id."""

    code = "channel_account_not_found"
    kind = "channel account"


@frozen(kw_only=True)
class ChannelAccountCreated(Event):
    """A channel account was created; `config` has the form that its provider declares."""

    account_id: str
    channel_type: ChannelName
    provider: str
    name: str
    sender: str | None = None
    config: Mapping[str, Any] = field(repr=False)


@frozen(kw_only=True)
class ChannelAccount:
    """The state of a channel account."""

    account_id: str
    channel_type: ChannelName
    provider: str
    name: str
    sender: str | None
    config: Mapping[str, Any] = field(repr=False)
    created_at: datetime


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


def begin(event: ChannelAccountCreated) -> ChannelAccount:
    """Return the state after the first event."""
    return begun(ChannelAccount, event)


channel_account_decider: Decider[ChannelAccount] = Decider(
    "channel_account", begin, (ChannelAccountCreated,)
)
