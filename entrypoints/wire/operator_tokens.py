"""Operators' tokens and their holders in bodies and answers (C-84)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NotRequired, TypedDict

from attrs import frozen

from ...application.operators.managing_tokens import NewOperatorToken
from ...application.operators.operator import Operator
from ...domain.accounts.token_role import TokenRole
from .codec import unstructure, wire_time


@frozen(kw_only=True)
class NewToken:
    """The body that creates an operator's token, for all accounts unless it names one."""

    name: str
    role: TokenRole
    account: str | None = None
    clear: bool = False
    expires_at: datetime | None = None


class Whoami(TypedDict):
    """The holder of a token: its actor in the log, its role, its account if it is bound, and its end."""

    actor: str
    role: TokenRole
    account: NotRequired[str]
    expiresAt: NotRequired[str]


def shown_new_token(created: NewOperatorToken) -> dict[str, Any]:
    """Return the record of a new token together with the token, which no later answer shows."""
    return {**unstructure(created.record), "token": created.token}


def whoami(operator: Operator) -> Whoami:
    """Return what a token's holder is shown of it."""
    shown: Whoami = {"actor": operator.caller.actor, "role": operator.role}
    if operator.caller.bound_to is not None:
        shown["account"] = operator.caller.bound_to
    if operator.expires_at is not None:
        shown["expiresAt"] = wire_time(operator.expires_at)
    return shown
