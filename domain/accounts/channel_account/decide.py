"""The decisions on a channel account."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import assert_never

import attrs

from ...channel import Channel, with_adapters
from ...conditions import Condition, Hold, Release, SoleHolder
from ...decider import Decision, as_the_first
from ...errors import FieldProblem, ValidationFailedError
from ...limits import NO_CONTROLS, has_controls
from ...naming import name_problems
from .events import (
    ChannelAccountCreated,
    ChannelAccountDisabled,
    ChannelAccountEnabled,
    ChannelAccountEvent,
    ChannelAccountRevised,
    ChannelAccountTested,
    ChannelSecretsDropped,
)
from .states import ChannelAccount

# All attempts share one time-out, so that later ones would have no time.
MOST_FAILOVERS = 8
MOST_PRICES = 1_000
TOO_MANY_PRICES = FieldProblem("prices", f"must have at most {MOST_PRICES} entries")


def create(
    channel_account_id: str, created: ChannelAccountCreated, adapters: Collection[str] = ()
) -> Decision:
    """
    Create a channel account. The caller has had the provider check `config`.

    `adapters` are the names under which third-party adapters are registered; each may be a channel
    (C-52). Of the accounts in `failover`, the caller has checked all but their number.
    """
    problems = [*_problems(created, channel_account_id)]
    known = with_adapters(tuple(Channel), adapters)
    if created.channel_type not in known:
        problems.append(FieldProblem("channel_type", f"must be one of {', '.join(known)}"))
    if problems:
        raise ValidationFailedError(problems)
    return Decision((created,), _claims(channel_account_id, (), created.failover))


def revise(
    account: ChannelAccount, channel_account_id: str, revised: ChannelAccountRevised
) -> Decision:
    """
    Replace the settings; nothing happens when the account has them already.

    The caller has had the provider check `config`, and has checked the accounts in `failover`.
    """
    if problems := [*_problems(revised, channel_account_id)]:
        raise ValidationFailedError(problems)
    if not revised.resealed and _has_already(account, revised):
        return Decision()
    return Decision((revised,), _claims(channel_account_id, account.failover, revised.failover))


def disable(account: ChannelAccount, at: datetime) -> Decision:
    """Stop sends; nothing happens when they are stopped already."""
    return Decision((ChannelAccountDisabled(at=at),)) if account.enabled else Decision()


def enable(account: ChannelAccount, at: datetime) -> Decision:
    """Allow sends again; nothing happens when they are allowed already."""
    return Decision() if account.enabled else Decision((ChannelAccountEnabled(at=at),))


def record_test(_account: ChannelAccount, tested: ChannelAccountTested) -> Decision:
    """Record the outcome of a test; a disabled account is tested, too."""
    return Decision((tested,))


def drop_secrets(account: ChannelAccount, at: datetime) -> Decision:
    """Drop the sealed secrets; nothing happens without secrets, or when they are dropped already."""
    if not account.sealed or account.lacks_secrets:
        return Decision()
    return Decision((ChannelSecretsDropped(at=at),))


def failover_target(channel_account_id: str) -> str:
    """Return the subject that every channel account with this one in its `failover` holds."""
    return f"channel-failover:{channel_account_id}"


def redecide(account: ChannelAccount | None, event: ChannelAccountEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if account is None or isinstance(event, ChannelAccountCreated):
        return as_the_first(account, event)
    match event:
        case ChannelAccountRevised():
            # Only conditions depend on the id, and those an audit does not compare.
            return revise(account, "", event)
        case ChannelAccountDisabled():
            return disable(account, event.at)
        case ChannelAccountEnabled():
            return enable(account, event.at)
        case ChannelAccountTested():
            return record_test(account, event)
        case ChannelSecretsDropped():
            return drop_secrets(account, event.at)
        case _:
            assert_never(event)


def _problems(
    given: ChannelAccountCreated | ChannelAccountRevised, channel_account_id: str
) -> Iterator[FieldProblem]:
    yield from name_problems(given.name)
    if given.sender is not None and has_controls(given.sender):
        yield FieldProblem("sender", NO_CONTROLS)
    if len(given.failover) > MOST_FAILOVERS:
        yield FieldProblem("failover", f"must have at most {MOST_FAILOVERS} entries")
    for number in _repeated(given.failover):
        yield FieldProblem(f"failover[{number}]", "is named twice")
    for number, each in enumerate(given.failover):
        if each == channel_account_id:
            yield FieldProblem(f"failover[{number}]", "must be another channel account")
    if len(given.prices) > MOST_PRICES:
        yield TOO_MANY_PRICES
    for number in _repeated([each.prefix for each in given.prices]):
        yield FieldProblem(f"prices[{number}].prefix", "is named twice")


def _repeated(texts: Sequence[str]) -> Iterator[int]:
    seen: set[str] = set()
    for number, text in enumerate(texts):
        if text in seen:
            yield number
        seen.add(text)


def _has_already(account: ChannelAccount, revised: ChannelAccountRevised) -> bool:
    facts = attrs.asdict(revised, recurse=False)
    del facts["at"], facts["resealed"]
    return all(getattr(account, name) == value for name, value in facts.items())


def _claims(
    channel_account_id: str, before: Sequence[str], after: Sequence[str]
) -> tuple[Condition, ...]:
    """Return the conditions under which no failover leads on to another, in any race (D-216)."""
    if after == before:
        return ()
    claims: list[Condition] = []
    if after:
        own = failover_target(channel_account_id)
        # Nobody else names this account; that checked, it does not name itself either.
        claims += [SoleHolder(own, channel_account_id), Release(own, channel_account_id)]
    claims += [
        Hold(failover_target(each), channel_account_id) for each in after if each not in before
    ]
    claims += [
        Release(failover_target(each), channel_account_id) for each in before if each not in after
    ]
    return tuple(claims)
