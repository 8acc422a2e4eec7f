"""A person: the recipient or sender behind a random id, and the person's erasure (C-74, C-100)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from .decider import Decider, Decision, begun
from .errors import NotFoundError
from .event import Event
from .value import value

# The error code of what is not sent any more, because its recipient was erased (C-74).
PERSON_ERASED = "person_erased"


class PersonNotFoundError(NotFoundError):
    """Nothing is stored of this destination in this account."""

    code = "person_not_found"

    def __init__(self) -> None:
        super().__init__(
            "Nothing is stored of this destination in this account. Check its spelling and the account."
        )


@frozen(kw_only=True)
class PersonErased(Event):
    """The person's key and the way from a number to the person are gone; nothing opens what was sealed."""

    account_id: str


@value(kw_only=True)
class ErasePerson:
    """Erase a person of an account."""

    at: datetime
    account_id: str


@frozen(kw_only=True)
class ErasedPerson:
    """The state of an erased person; a person who was not erased has no stream."""

    account_id: str
    created_at: datetime


def erase(command: ErasePerson) -> Decision:
    """Erase a person. The append removes the person's record, so it happens once."""
    return Decision((PersonErased(at=command.at, account_id=command.account_id),))


def begin(event: PersonErased) -> ErasedPerson:
    """Return the state after the first event."""
    return begun(ErasedPerson, event)


person_decider: Decider[ErasedPerson] = Decider("person", begin, (PersonErased,))
