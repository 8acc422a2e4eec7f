"""An account: the owner of every other record (C-7)."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import frozen

from ..conditions import SoleHolder
from ..decider import Decider, Decision, as_the_first, begun
from ..errors import DomainError, NotFoundError, ValidationFailedError
from ..event import Event
from ..naming import name_problems
from .account_limits import AccountLimits


class AccountNotFoundError(NotFoundError):
    """No account has this id or name."""

    code = "account_not_found"

    def __init__(self) -> None:
        super().__init__("No account has this id or name. Look it up in the list, or create one.")


class AccountSuspendedError(DomainError):
    """The account is suspended; every call for it is refused (C-95)."""

    code = "account_suspended"

    def __init__(self) -> None:
        super().__init__("The account is suspended. Ask your operator.")


@frozen(kw_only=True)
class AccountCreated(Event):
    """An account was created under a unique name."""

    name: str


@frozen(kw_only=True)
class AccountSuspended(Event):
    """The account was suspended; its calls are refused until it is resumed."""


@frozen(kw_only=True)
class AccountResumed(Event):
    """The account was resumed; its calls are accepted again."""


@frozen(kw_only=True)
class AccountLimitsSet(Event):
    """The limits of the account were replaced; None means no limit, or the default (C-94)."""

    requests_per_second: int | None
    stored_bytes_per_day: int | None
    media_bytes: int | None


LaterAccountEvent = AccountSuspended | AccountResumed | AccountLimitsSet
AccountEvent = AccountCreated | LaterAccountEvent


@frozen(kw_only=True)
class Account:
    """The state of an account."""

    name: str
    created_at: datetime
    suspended_at: datetime | None = None
    limits: AccountLimits = AccountLimits()

    def require_active(self) -> None:
        """Raise `AccountSuspendedError` while the account is suspended."""
        if self.suspended_at is not None:
            raise AccountSuspendedError


def account_name(name: str) -> str:
    """Return the subject under which an account's name is unique."""
    return f"account-name:{name}"


def create(at: datetime, account_id: str, name: str) -> Decision:
    """Create an account under a unique name."""
    if problems := name_problems(name):
        raise ValidationFailedError(problems)
    return Decision(
        (AccountCreated(at=at, name=name),), (SoleHolder(account_name(name), account_id),)
    )


def suspend(account: Account, at: datetime) -> Decision:
    """Suspend an account; nothing happens when it is suspended already."""
    return Decision() if account.suspended_at is not None else Decision((AccountSuspended(at=at),))


def resume(account: Account, at: datetime) -> Decision:
    """End a suspension; nothing happens when there is none."""
    return Decision() if account.suspended_at is None else Decision((AccountResumed(at=at),))


def set_limits(account: Account, at: datetime, limits: AccountLimits) -> Decision:
    """Set all limits of an account; nothing happens when it has them already."""
    if account.limits == limits:
        return Decision()
    return Decision((AccountLimitsSet(at=at, **attrs.asdict(limits)),))


def limits_in(event: AccountLimitsSet) -> AccountLimits:
    """Return the limits in an event."""
    return AccountLimits(
        requests_per_second=event.requests_per_second,
        stored_bytes_per_day=event.stored_bytes_per_day,
        media_bytes=event.media_bytes,
    )


def begin(event: AccountCreated) -> Account:
    """Return the state after the first event."""
    return begun(Account, event)


def evolve(account: Account, event: LaterAccountEvent) -> Account:
    """Apply a later event."""
    match event:
        case AccountSuspended():
            return attrs.evolve(account, suspended_at=event.at)
        case AccountResumed():
            return attrs.evolve(account, suspended_at=None)
        case AccountLimitsSet():
            return attrs.evolve(account, limits=limits_in(event))
        case _:
            assert_never(event)


def redecide(account: Account | None, event: AccountEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if account is None or isinstance(event, AccountCreated):
        return as_the_first(account, event)
    match event:
        case AccountSuspended():
            return suspend(account, event.at)
        case AccountResumed():
            return resume(account, event.at)
        case AccountLimitsSet():
            return set_limits(account, event.at, limits_in(event))
        case _:
            assert_never(event)


account_decider: Decider[Account] = Decider(
    "account", begin, (AccountCreated,), evolve, get_args(LaterAccountEvent)
)
