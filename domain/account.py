"""An account: what everything else belongs to (C-7)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from .conditions import SoleHolder
from .decider import Decider, Decision, begun
from .errors import NotFoundError, ValidationFailedError
from .event import Event
from .naming import name_problems


class AccountNotFoundError(NotFoundError):
    """No account has this id or name."""

    code = "account_not_found"

    def __init__(self) -> None:
        super().__init__("No account has this id or name. Look it up in the list, or create one.")


@frozen(kw_only=True)
class AccountCreated(Event):
    """An account was created; its name is unique."""

    name: str


@frozen(kw_only=True)
class Account:
    """An account as its events left it."""

    name: str = ""
    created_at: datetime | None = None


def account_name(name: str) -> str:
    """Name what only one account may hold: its name."""
    return f"account-name:{name}"


def create(at: datetime, account_id: str, name: str) -> Decision:
    """Create an account under a name that no other has."""
    if problems := name_problems(name):
        raise ValidationFailedError(problems)
    return Decision(
        (AccountCreated(at=at, name=name),), (SoleHolder(account_name(name), account_id),)
    )


account_decider: Decider[Account] = Decider("account", Account(), begun, (AccountCreated,))
