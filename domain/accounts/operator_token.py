"""An operator's token: its role, its account, its expiry (C-84). Only its hash is kept."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from ..conditions import Release, SoleHolder
from ..decider import Decider, Decision, as_the_first, begun
from ..errors import FieldProblem, UnknownIdError, ValidationFailedError
from ..event import Event, secret
from ..naming import name_problems
from .token_role import TokenRole

# The last use of a token is recorded at most this often, as that of a key (D-6).
LAST_USE_EVERY = timedelta(minutes=10)


class OperatorTokenNotFoundError(UnknownIdError):
    """No operator's token has this id."""

    code = "token_not_found"
    kind = "token"


@frozen(kw_only=True)
class OperatorTokenCreated(Event):
    """
    A token was created and shown once; `prefix` identifies it in lists.

    Without an `account_id` it is for all accounts. With `clear` an auditor sees numbers unmasked.
    """

    name: str
    role: TokenRole
    account_id: str | None = None
    clear: bool = False
    prefix: str
    token_hash: str = secret()
    expires_at: datetime | None = None


@frozen(kw_only=True)
class OperatorTokenUsed(Event):
    """The token was used; recorded at most once in ten minutes."""


@frozen(kw_only=True)
class OperatorTokenRevoked(Event):
    """The token was revoked."""


LaterOperatorTokenEvent = OperatorTokenUsed | OperatorTokenRevoked
OperatorTokenEvent = OperatorTokenCreated | LaterOperatorTokenEvent


@frozen(kw_only=True)
class OperatorToken:
    """The state of an operator's token."""

    name: str
    role: TokenRole
    account_id: str | None
    clear: bool
    prefix: str
    token_hash: str = field(repr=False)
    expires_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None

    @property
    def masks(self) -> bool:
        """Whether its holder sees numbers masked: an auditor does, unless the token was made with `clear`."""
        return self.role is TokenRole.AUDITOR and not self.clear

    def valid_at(self, now: datetime) -> bool:
        """Return whether the token is valid at this time."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


def token_hash_subject(token_hash: str) -> str:
    """Return the subject under which a token's hash is unique; tokens are looked up by it."""
    return f"operator-token:{token_hash}"


def create(created: OperatorTokenCreated, token_id: str) -> Decision:
    """Create a token, found by its hash."""
    problems = name_problems(created.name)
    if created.expires_at is not None and created.expires_at <= created.at:
        problems.append(FieldProblem("expires_at", "must be in the future"))
    if problems:
        raise ValidationFailedError(problems)
    return Decision((created,), (SoleHolder(token_hash_subject(created.token_hash), token_id),))


def revoke(token: OperatorToken, token_id: str, at: datetime) -> Decision:
    """Revoke a token; nothing happens when it is revoked already."""
    if token.revoked_at is not None:
        return Decision()
    subject = token_hash_subject(token.token_hash)
    return Decision((OperatorTokenRevoked(at=at),), (Release(subject, token_id),))


def use(token: OperatorToken, at: datetime) -> Decision:
    """Record a use if the last recorded use is at least ten minutes old and the token is valid."""
    last = token.last_used_at
    if not token.valid_at(at) or (last is not None and at - last < LAST_USE_EVERY):
        return Decision()
    return Decision((OperatorTokenUsed(at=at),))


def begin(event: OperatorTokenCreated) -> OperatorToken:
    """Return the state after the first event."""
    return begun(OperatorToken, event)


def evolve(token: OperatorToken, event: LaterOperatorTokenEvent) -> OperatorToken:
    """Apply a later event."""
    match event:
        case OperatorTokenUsed():
            return attrs.evolve(token, last_used_at=event.at)
        case OperatorTokenRevoked():
            return attrs.evolve(token, revoked_at=event.at)
        case _:
            assert_never(event)


def redecide(token: OperatorToken | None, event: OperatorTokenEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if token is None or isinstance(event, OperatorTokenCreated):
        return as_the_first(token, event)
    match event:
        case OperatorTokenUsed():
            return use(token, event.at)
        case OperatorTokenRevoked():
            return revoke(token, "", event.at)
        case _:
            assert_never(event)


operator_token_decider: Decider[OperatorToken] = Decider(
    "operator_token", begin, (OperatorTokenCreated,), evolve, get_args(LaterOperatorTokenEvent)
)
