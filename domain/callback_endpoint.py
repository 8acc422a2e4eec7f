"""A callback endpoint: the address to which an account's events are sent, and their types (C-33, C-53)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from .decider import Decider, Decision, as_the_first, begun
from .errors import DomainError, FieldProblem, UnknownIdError, ValidationFailedError
from .event import Event, personal


class CallbackType(StrEnum):
    """The type of a callback (C-53)."""

    PIN_ISSUED = "pin.issued"
    PIN_DISPATCHED = "pin.dispatched"
    PIN_RESENT = "pin.resent"
    PIN_VERIFY_FAILED = "pin.verify_failed"
    PIN_VERIFIED = "pin.verified"
    PIN_BLOCKED = "pin.blocked"
    PIN_DELIVERED = "pin.delivered"
    PIN_EXPIRED = "pin.expired"
    PIN_SUPERSEDED = "pin.superseded"
    MESSAGE_ACCEPTED = "message.accepted"
    MESSAGE_SENT = "message.sent"
    MESSAGE_DELIVERED = "message.delivered"
    MESSAGE_READ = "message.read"
    MESSAGE_FAILED = "message.failed"
    MESSAGE_REJECTED = "message.rejected"
    MESSAGE_EXPIRED = "message.expired"
    MESSAGE_REVOKED = "message.revoked"
    MESSAGE_INBOUND = "message.inbound"
    MESSAGE_CLICKED = "message.clicked"
    FALLBACK_FIRED = "fallback.fired"
    FALLBACK_STOOD_DOWN = "fallback.stood_down"
    FALLBACK_REJECTED = "fallback.rejected"
    TEMPLATE_APPROVED = "template.approved"
    TEMPLATE_REJECTED = "template.rejected"
    GUARD_REFUSED = "guard.refused"
    GUARD_FLAGGED = "guard.flagged"
    LOG_HEAD = "log.head"
    CALLBACK_TEST = "callback.test"


# The owner of the endpoints of operators, which belong to no account (D-464).
OPERATORS = "acc_operators"
EVERYTHING = "*"
_ANY = ".*"
# What operators alone are told: a head tells the volume of all accounts.
OPERATORS_TYPES = (CallbackType.LOG_HEAD,)
OPERATORS_PATTERNS = ("log" + _ANY, *OPERATORS_TYPES)
# Told to the one endpoint that is tested, whatever its patterns are (D-511).
_UNASKED = (CallbackType.CALLBACK_TEST,)
_ACCOUNTS_TYPES = tuple(each for each in CallbackType if each not in (*OPERATORS_TYPES, *_UNASKED))
ACCOUNTS_PATTERNS = (
    EVERYTHING,
    *dict.fromkeys(each.partition(".")[0] + _ANY for each in _ACCOUNTS_TYPES),
    *_ACCOUNTS_TYPES,
)


class CallbackNotFoundError(UnknownIdError):
    """No callback endpoint has this id."""

    code = "callback_not_found"
    kind = "callback endpoint"


class CallbackRemovedError(DomainError):
    """The callback endpoint was removed; no callback is sent to it any more."""

    code = "callback_removed"

    def __init__(self) -> None:
        super().__init__("This callback endpoint was removed, and its secret with it. Create one.")


@frozen(kw_only=True)
class CallbackEndpointCreated(Event):
    """
    An endpoint that receives callbacks was created; `events` are types and patterns of types.

    The URL is personal, because its path may be the only secret that protects it.
    """

    account_id: str
    url: str = personal()
    events: tuple[str, ...]


@frozen(kw_only=True)
class CallbackEndpointRemoved(Event):
    """The endpoint and its secret were removed; nothing is sent to it any more."""


@frozen(kw_only=True)
class CallbackEndpointTested(Event):
    """An operator had a test event sent to the endpoint, as the delivery of this id."""

    delivery_id: str


@frozen(kw_only=True)
class CallbackRedelivered(Event):
    """An operator had a delivery to the endpoint attempted again."""

    delivery_id: str


LaterCallbackEndpointEvent = CallbackEndpointRemoved | CallbackEndpointTested | CallbackRedelivered
CallbackEndpointEvent = CallbackEndpointCreated | LaterCallbackEndpointEvent


@frozen(kw_only=True)
class CallbackEndpoint:
    """The state of a callback endpoint; `asked_at` is when an operator last had something sent to it."""

    account_id: str
    url: str = field(repr=False)
    events: tuple[str, ...]
    created_at: datetime
    asked_at: datetime | None = None
    removed_at: datetime | None = None


def wants(patterns: Sequence[str], callback_type: str) -> bool:
    """Return whether names and patterns such as `pin.*` match a type."""
    area = callback_type.partition(".")[0] + _ANY
    return any(each in (EVERYTHING, area, callback_type) for each in patterns)


def meant_for_operators(patterns: Sequence[str] | None) -> bool:
    """Return whether one of these begins as what operators alone are told; a slip behind it is named."""
    areas = {each.partition(".")[0] for each in OPERATORS_TYPES}
    return any(each.partition(".")[0] in areas for each in patterns or ())


def create(created: CallbackEndpointCreated) -> Decision:
    """Create an endpoint. The caller has checked that the URL may be called."""
    known = OPERATORS_PATTERNS if created.account_id == OPERATORS else ACCOUNTS_PATTERNS
    most = len(known)
    if len(created.events) > most:
        # Each problem names all patterns; without this limit an answer would be a hundred times its request.
        raise ValidationFailedError([FieldProblem("events", f"must have at most {most} entries")])
    problems = [
        FieldProblem(f"events[{number}]", f"must be one of {', '.join(known)}")
        for number, each in enumerate(created.events)
        if each not in known
    ]
    if not created.events:
        problems.append(FieldProblem("events", "must have at least one entry"))
    if problems:
        raise ValidationFailedError(problems)
    return Decision((attrs.evolve(created, events=tuple(dict.fromkeys(created.events))),))


def remove(endpoint: CallbackEndpoint, at: datetime) -> Decision:
    """Remove an endpoint; nothing happens when it is removed already."""
    if endpoint.removed_at is not None:
        return Decision()
    return Decision((CallbackEndpointRemoved(at=at),))


def test(endpoint: CallbackEndpoint, at: datetime, delivery_id: str) -> Decision:
    """Ask for a test event to the endpoint; raises `CallbackRemovedError`."""
    return _while_live(endpoint, CallbackEndpointTested(at=at, delivery_id=delivery_id))


def redeliver(endpoint: CallbackEndpoint, at: datetime, delivery_id: str) -> Decision:
    """Ask for another attempt of a delivery; raises `CallbackRemovedError`."""
    return _while_live(endpoint, CallbackRedelivered(at=at, delivery_id=delivery_id))


def _while_live(endpoint: CallbackEndpoint, event: LaterCallbackEndpointEvent) -> Decision:
    if endpoint.removed_at is not None:
        raise CallbackRemovedError
    return Decision((event,))


def begin(event: CallbackEndpointCreated) -> CallbackEndpoint:
    """Return the state after the first event."""
    return begun(CallbackEndpoint, event)


def evolve(endpoint: CallbackEndpoint, event: LaterCallbackEndpointEvent) -> CallbackEndpoint:
    """Apply a later event."""
    match event:
        case CallbackEndpointRemoved():
            return attrs.evolve(endpoint, removed_at=event.at)
        case CallbackEndpointTested() | CallbackRedelivered():
            return attrs.evolve(endpoint, asked_at=event.at)
        case _:
            assert_never(event)


def redecide(endpoint: CallbackEndpoint | None, event: CallbackEndpointEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if endpoint is None or isinstance(event, CallbackEndpointCreated):
        return as_the_first(endpoint, event)
    match event:
        case CallbackEndpointTested():
            return test(endpoint, event.at, event.delivery_id)
        case CallbackRedelivered():
            return redeliver(endpoint, event.at, event.delivery_id)
        case CallbackEndpointRemoved():
            return remove(endpoint, event.at)
        case _:
            assert_never(event)


callback_endpoint_decider: Decider[CallbackEndpoint] = Decider(
    "callback_endpoint",
    begin,
    (CallbackEndpointCreated,),
    evolve,
    get_args(LaterCallbackEndpointEvent),
)
