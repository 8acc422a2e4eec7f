"""A legacy user: a person who logs in to the legacy platform for an account (SPEC 4 E1, C-42)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from ..conditions import Release, SoleHolder
from ..decider import Decider, Decision, as_the_first, begun
from ..errors import FieldProblem, UnknownIdError, ValidationFailedError
from ..event import Event, personal, secret
from ..personal_subjects import LEGACY_EMAIL

MAX_EMAIL_LENGTH = 254
MAX_PASSWORD_LENGTH = 1_000
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_RULE = f"must be an e-mail address of at most {MAX_EMAIL_LENGTH} characters"


class LegacyUserNotFoundError(UnknownIdError):
    """No legacy user has this id."""

    code = "legacy_user_not_found"
    kind = "legacy user"


@frozen(kw_only=True)
class LegacyUserCreated(Event):
    """A user who can log in was created; the e-mail is unique in the store."""

    account_id: str
    email: str = personal()
    password_hash: str = secret()


@frozen(kw_only=True)
class LegacyTokensRevoked(Event):
    """All tokens of the user were revoked."""


@frozen(kw_only=True)
class LegacyUserRemoved(Event):
    """The user was removed, tokens included; the e-mail is free again; final."""


LaterLegacyUserEvent = LegacyTokensRevoked | LegacyUserRemoved
LegacyUserEvent = LegacyUserCreated | LaterLegacyUserEvent


@frozen(kw_only=True)
class LegacyUser:
    """
    The state of a legacy user.

    `generation` counts the revocations. A token belongs to the generation in which it was issued
    (D-100).
    """

    account_id: str
    email: str = field(repr=False)
    password_hash: str | None = field(repr=False)
    generation: int = 0
    created_at: datetime
    removed_at: datetime | None = None


def canonical_email(email: str) -> str:
    """Return an e-mail address in the one form that is compared: trimmed, in lower case (D-100)."""
    return email.strip().lower()


def an_email(_instance: object, _attribute: object, value: str) -> None:
    """Check that a text can be an e-mail address."""
    email = canonical_email(value)
    if len(email) > MAX_EMAIL_LENGTH or not (email.isprintable() and _EMAIL.fullmatch(email)):
        raise ValueError(_RULE)


def legacy_email(email: str) -> str:
    """Return the subject under which an e-mail address is unique in the store."""
    return f"{LEGACY_EMAIL}{email}"


def create(created: LegacyUserCreated, user_id: str) -> Decision:
    """Create a user; the e-mail address must be unique in the store."""
    try:
        an_email(created, None, created.email)
    except ValueError as error:
        raise ValidationFailedError([FieldProblem("email", str(error))]) from None
    email = canonical_email(created.email)
    return Decision(
        (attrs.evolve(created, email=email),), (SoleHolder(legacy_email(email), user_id),)
    )


def revoke_tokens(user: LegacyUser, at: datetime) -> Decision:
    """Revoke all tokens of a user; nothing happens when the user is removed."""
    if user.removed_at is not None:
        return Decision()
    return Decision((LegacyTokensRevoked(at=at),))


def remove(user: LegacyUser, user_id: str, at: datetime) -> Decision:
    """Remove a user and free the e-mail address; nothing happens when the user is removed already."""
    if user.removed_at is not None:
        return Decision()
    return Decision((LegacyUserRemoved(at=at),), (Release(legacy_email(user.email), user_id),))


def begin(event: LegacyUserCreated) -> LegacyUser:
    """Return the state after the first event."""
    return begun(LegacyUser, event)


def evolve(user: LegacyUser, event: LaterLegacyUserEvent) -> LegacyUser:
    """Apply a later event."""
    match event:
        case LegacyTokensRevoked():
            return attrs.evolve(user, generation=user.generation + 1)
        case LegacyUserRemoved():
            return attrs.evolve(
                user, generation=user.generation + 1, password_hash=None, removed_at=event.at
            )
        case _:
            assert_never(event)


def redecide(user: LegacyUser | None, event: LegacyUserEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if user is None or isinstance(event, LegacyUserCreated):
        return as_the_first(user, event)
    match event:
        case LegacyTokensRevoked():
            return revoke_tokens(user, event.at)
        case LegacyUserRemoved():
            return remove(user, "", event.at)
        case _:
            assert_never(event)


legacy_user_decider: Decider[LegacyUser] = Decider(
    "legacy_user", begin, (LegacyUserCreated,), evolve, get_args(LaterLegacyUserEvent)
)
