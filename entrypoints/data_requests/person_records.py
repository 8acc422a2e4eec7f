"""Everything stored of a person, as plain data and as JSON that is written part by part (C-74)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from typing import Any, TypeVar

from ...application.data_requests.certificate import Certificate
from ...application.data_requests.showing import StoredPerson
from ...application.ports.event_store import Recorded
from ..messaging.shown_messages import reported_message
from ..wire.codec import encode, unstructure
from ..wire.pin_records import verification_record
from ..wire.shown_events import shown_event

T = TypeVar("T")
Parts = Mapping[str, AsyncIterator[dict[str, Any]]]


def certificate_record(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate; an unknown person has neither id nor position."""
    shown: dict[str, Any] = unstructure(certificate)
    return {name: value for name, value in shown.items() if value is not None}


async def person_record(person: StoredPerson) -> dict[str, Any]:
    """Return the whole record of a person in memory."""
    parts = {name: [each async for each in part] for name, part in _parts(person).items()}
    return {"personId": person.person_id, **parts}


async def person_json(person: StoredPerson) -> AsyncGenerator[bytes]:
    """Yield the record of a person as JSON, an entry at a time, so that memory stays bounded."""
    yield b'{"personId":' + encode(person.person_id)
    for name, part in _parts(person).items():
        yield b"," + encode(name) + b":["
        separator = b""
        async for each in part:
            yield separator + encode(each)
            separator = b","
        yield b"]"
    yield b"}"


def _parts(person: StoredPerson) -> Parts:
    """Return the members of the record in their order."""
    return {
        "pins": _each(person.pins(), verification_record),
        "messages": _each(person.messages(), reported_message),
        "consents": _each(person.consents(), unstructure),
        "testDestinations": _each(person.test_destinations(), unstructure),
        "ratings": _each(person.ratings(), unstructure),
        "deliveries": _each(person.deliveries(), unstructure),
        "events": _each(person.events(), _event),
    }


def _event(recorded: Recorded) -> dict[str, Any]:
    return shown_event(recorded, mask=False)


async def _each(
    found: AsyncIterator[T], shown: Callable[[T], dict[str, Any]]
) -> AsyncIterator[dict[str, Any]]:
    async for each in found:
        yield shown(each)
