"""A fallback configuration: the channels that a send falls back to, under an id of the caller's (C-35)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from attrs import frozen

from ..channel import MESSAGE_CHANNELS, ChannelName, with_adapters
from ..conditions import SoleHolder
from ..decider import Decider, Decision, begun
from ..errors import FieldProblem, UnknownIdError, ValidationFailedError
from ..event import Event

MAX_ID_LENGTH = 64
MAX_STEPS = 2
_WORD = f"must have 1 to {MAX_ID_LENGTH} visible characters and no white space"
_FEW = f"must have 1 to {MAX_STEPS} entries, each another channel"


class FallbackConfigurationNotFoundError(UnknownIdError):
    """No fallback configuration has this id."""

    code = "fallback_configuration_not_found"
    kind = "fallback configuration"


@frozen(kw_only=True)
class FallbackConfigurationCreated(Event):
    """A fallback configuration was created; its `fallback_id` is unique in its account."""

    account_id: str
    fallback_id: str
    steps: tuple[ChannelName, ...]


@frozen(kw_only=True)
class FallbackConfiguration:
    """The state of a fallback configuration."""

    account_id: str
    fallback_id: str
    steps: tuple[ChannelName, ...]
    created_at: datetime


def fallback_name(account_id: str, fallback_id: str) -> str:
    """Return the subject under which a configuration's `fallback_id` is unique in its account."""
    return f"fallback-name:{account_id}:{fallback_id}"


def a_fallback_id(_instance: object, _attribute: object, word: str) -> None:
    """Check that a text can be a `fallback_id`."""
    if not _is_word(word):
        raise ValueError(_WORD)


def few_steps(_instance: object, _attribute: object, steps: Sequence[str]) -> None:
    """Check that there are one or two steps, on different channels."""
    if not _are_few(steps):
        raise ValueError(_FEW)


def create(
    configuration_id: str, created: FallbackConfigurationCreated, adapters: Collection[str]
) -> Decision:
    """
    Create a configuration; its `fallback_id` must be unique in the account.

    `adapters` are the names under which third-party adapters are registered; each may be a step, like a
    channel (C-52).
    """
    known = with_adapters(MESSAGE_CHANNELS, adapters)
    problems = [
        FieldProblem(f"steps[{number}]", f"must be one of {', '.join(known)}")
        for number, step in enumerate(created.steps)
        if step not in known
    ]
    if not _is_word(created.fallback_id):
        problems.append(FieldProblem("fallback_id", _WORD))
    if not _are_few(created.steps):
        problems.append(FieldProblem("steps", _FEW))
    if problems:
        raise ValidationFailedError(problems)
    subject = fallback_name(created.account_id, created.fallback_id)
    return Decision((created,), (SoleHolder(subject, configuration_id),))


def _is_word(text: str) -> bool:
    return 1 <= len(text) <= MAX_ID_LENGTH and text.isprintable() and " " not in text


def _are_few(steps: Sequence[str]) -> bool:
    # Two steps on one channel would be ambiguous: a run's steps are keyed by channel (D-39).
    return 1 <= len(steps) <= MAX_STEPS and len(set(steps)) == len(steps)


def begin(event: FallbackConfigurationCreated) -> FallbackConfiguration:
    """Return the state after the first event."""
    return begun(FallbackConfiguration, event)


fallback_configuration_decider: Decider[FallbackConfiguration] = Decider(
    "fallback_configuration", begin, (FallbackConfigurationCreated,)
)
