"""An API key: the account that calls, its scopes and its expiry (C-6). Only the key's hash is kept."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from ..conditions import Release, SoleHolder
from ..decider import Decider, Decision, as_the_first, begun
from ..errors import DomainError, FieldProblem, UnknownIdError, ValidationFailedError
from ..event import Event, secret
from ..naming import name_problems

# The last use of a key is recorded at most this often (D-6).
LAST_USE_EVERY = timedelta(minutes=10)


class Scope(StrEnum):
    """A scope of a key: the calls that the key allows."""

    MESSAGING = "messaging"
    PINS = "pins"


class UnauthorizedError(DomainError):
    """A valid key (C-8) or a provider's signature (C-34) is missing."""

    code = "unauthorized"

    def __init__(
        self, message: str = "The key is missing or not valid. Ask your operator for one."
    ) -> None:
        super().__init__(message)


class ForbiddenError(DomainError):
    """The key is valid, but its scopes do not allow this call (C-8)."""

    code = "forbidden"


class ApiKeyNotFoundError(UnknownIdError):
    """No API key has this id."""

    code = "api_key_not_found"
    kind = "API key"


@frozen(kw_only=True)
class ApiKeyCreated(Event):
    """A key was created and shown once; `prefix` identifies it in lists."""

    account_id: str
    name: str
    prefix: str
    key_hash: str = secret()
    scopes: tuple[Scope, ...]
    template_auto_match: bool = False
    expires_at: datetime | None = None


@frozen(kw_only=True)
class ApiKeyUsed(Event):
    """The key was used; recorded at most once in ten minutes (D-6)."""


@frozen(kw_only=True)
class ApiKeyRevoked(Event):
    """The key was revoked."""


LaterApiKeyEvent = ApiKeyUsed | ApiKeyRevoked
ApiKeyEvent = ApiKeyCreated | LaterApiKeyEvent


@frozen(kw_only=True)
class ApiKey:
    """The state of an API key."""

    account_id: str
    name: str
    prefix: str
    key_hash: str = field(repr=False)
    scopes: tuple[Scope, ...]
    template_auto_match: bool
    expires_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None

    @property
    def ends(self) -> bool:
        """Whether the key is invalid at some time."""
        return self.revoked_at is not None or self.expires_at is not None

    def valid_at(self, now: datetime) -> bool:
        """Return whether the key is valid at this time."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


def key_hash_subject(key_hash: str) -> str:
    """Return the subject under which a key's hash is unique; keys are looked up by it."""
    return f"api-key:{key_hash}"


def create(created: ApiKeyCreated, key_id: str) -> Decision:
    """Create a key, found by its hash."""
    problems = name_problems(created.name)
    if not created.scopes:
        problems.append(FieldProblem("scopes", "must have at least one entry"))
    if created.expires_at is not None and created.expires_at <= created.at:
        problems.append(FieldProblem("expires_at", "must be in the future"))
    if problems:
        raise ValidationFailedError(problems)
    return Decision((created,), (SoleHolder(key_hash_subject(created.key_hash), key_id),))


def revoke(key: ApiKey, key_id: str, at: datetime) -> Decision:
    """Revoke a key; nothing happens when it is revoked already."""
    if key.revoked_at is not None:
        return Decision()
    return Decision((ApiKeyRevoked(at=at),), (Release(key_hash_subject(key.key_hash), key_id),))


def use(key: ApiKey, at: datetime) -> Decision:
    """Record a use if the last recorded use is at least ten minutes old and the key is valid."""
    last = key.last_used_at
    if not key.valid_at(at) or (last is not None and at - last < LAST_USE_EVERY):
        return Decision()
    return Decision((ApiKeyUsed(at=at),))


def begin(event: ApiKeyCreated) -> ApiKey:
    """Return the state after the first event."""
    return begun(ApiKey, event)


def evolve(key: ApiKey, event: LaterApiKeyEvent) -> ApiKey:
    """Apply a later event."""
    match event:
        case ApiKeyUsed():
            return attrs.evolve(key, last_used_at=event.at)
        case ApiKeyRevoked():
            return attrs.evolve(key, revoked_at=event.at)
        case _:
            assert_never(event)


def redecide(key: ApiKey | None, event: ApiKeyEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if key is None or isinstance(event, ApiKeyCreated):
        return as_the_first(key, event)
    match event:
        case ApiKeyUsed():
            return use(key, event.at)
        case ApiKeyRevoked():
            return revoke(key, "", event.at)
        case _:
            assert_never(event)


api_key_decider: Decider[ApiKey] = Decider(
    "api_key", begin, (ApiKeyCreated,), evolve, get_args(LaterApiKeyEvent)
)
