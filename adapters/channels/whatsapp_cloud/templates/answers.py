"""Meta's answers about templates: those that it describes, and refusals (C-68, C-99)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from .....application.ports.channels import Fault, Rejected, Submitted, Unknown
from ...http_client.exchanges import Answer
from ...http_client.reading_answers import (
    FAULTS_BY_STATUS,
    is_refusal,
    object_of,
    one_line,
    retry_after,
)
from ..decisions import decides, given_reason
from ..faults import advice, fault_of
from ..graph import GraphError, error_in
from ..settings import WhatsappSettings
from ..words import explained, said_in

# Its own limits on calls and templates of a business account, and errors on their form.
_CALLS_OF_BUSINESS, _TEMPLATES_OF_BUSINESS = 80008, 2388019
_OF_TEMPLATES = range(2_388_000, 2_389_000)
# There is a template of this name and language, or one was deleted within the last weeks.
EXISTS = frozenset({2388023, 2388024})
# What Meta may have done when a call brings no answer.
HAS_IT = "has the template"
_UNREADABLE = f"Meta's answer cannot be read; nobody knows whether it {HAS_IT}."


class KnownTemplate(Struct, frozen=True):
    """A template as Meta lists it."""

    id: str
    name: str
    language: str
    status: str
    category: str | None = None
    rejected_reason: str | None = None


class RefusedError(Exception):
    """Meta refused a request, or its answer cannot be read; `outcome` says which."""

    def __init__(self, outcome: Rejected | Unknown) -> None:
        super().__init__(outcome.code)
        self.outcome = outcome


def adopted(known: KnownTemplate) -> Submitted:
    """Return that Meta has had a template before."""
    approved = decides(known.status)
    return Submitted(
        known.id,
        approved,
        None if approved is not False else reason_of(known),
        known.category,
        adopted=True,
    )


def created(answer: Answer) -> Submitted | Unknown:
    """Return what Meta says of a template that it has just taken."""
    said = object_of(answer)
    if not isinstance(said.get("id"), str) or not said["id"]:
        return Unknown(message=_UNREADABLE)
    status, category = _text(said, "status"), _text(said, "category")
    approved = decides(status or "")
    return Submitted(said["id"], approved, None if approved is not False else status, category)


def reason_of(known: KnownTemplate) -> str:
    """Return why Meta forbids sends: its status, and its reason if it says one."""
    reason = given_reason(known.rejected_reason)
    return one_line(known.status if reason is None else f"{known.status}: {reason}")


def exists_already(answer: Answer) -> bool:
    """Return whether Meta refused a template because of its name and language."""
    error = error_in(answer)
    return error is not None and error.subcode in EXISTS


def refusal(answer: Answer, settings: WhatsappSettings) -> Rejected | Unknown:
    """Return what an answer that is no success means, in Meta's words, without the account's secrets."""
    error, status = error_in(answer), answer.status
    if not is_refusal(status):
        return Unknown(message=f"Meta answered {status}; nobody knows whether it {HAS_IT}.")
    fault = _fault(error, status)
    wait = retry_after(answer.headers) if fault is Fault.BUSY else None
    if error is None:
        words = f"Meta refused (status {status})."
        return Rejected(f"whatsapp_http_{status}", words, fault, wait)
    number = error.subcode if error.subcode in _OF_TEMPLATES else error.code
    explanation = explained(error, said_in(settings))
    words = f"{explanation}." if explanation else f"Meta refused (error {number})."
    if fault is not Fault.CONTENT:
        words = f"{words} {advice(fault, error.code)}"
    return Rejected(f"whatsapp_{number}", words, fault, wait)


def unreadable() -> RefusedError:
    """Return that a successful answer cannot be read."""
    return RefusedError(Unknown(message=_UNREADABLE))


def _fault(error: GraphError | None, status: int) -> Fault:
    """Return whether another attempt may succeed: only `CONTENT` is final."""
    if error is not None and error.subcode in EXISTS:
        return Fault.BUSY
    if error is not None and error.subcode == _TEMPLATES_OF_BUSINESS:
        return Fault.ACCOUNT
    if error is not None and error.code == _CALLS_OF_BUSINESS:
        return Fault.BUSY
    known = None if error is None else fault_of(error)
    return known or FAULTS_BY_STATUS.get(status, Fault.CONTENT)


def _text(members: Mapping[str, Any], name: str) -> str | None:
    said = members.get(name)
    return said if isinstance(said, str) and said else None
