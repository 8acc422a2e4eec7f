"""The numbers in events, and whose they are, to compare them with the HMACs in the store (C-73, C-91)."""

from __future__ import annotations

from collections.abc import Iterator

from ...domain.consent import RecipientOptedIn, RecipientOptedOut
from ...domain.destination import canonical
from ...domain.event import ERASED, MASK, Event
from ...domain.fallback_run import FallbackArmed
from ...domain.legacy.chat_rating import ChatRated
from ...domain.message import MessageReceived, MessageSubmitted
from ...domain.pin import PinIssued
from ...domain.test_destination import TestDestinationSet


def numbers_in(event: Event) -> Iterator[tuple[str, str]]:
    """Yield the people in an event with their canonical destinations, as far as this reader sees them."""
    for person_id, destination in _all_in(event):
        if destination not in (ERASED, MASK):
            yield person_id, canonical(destination)


def _all_in(event: Event) -> Iterator[tuple[str, str]]:
    match event:
        case PinIssued() | TestDestinationSet():
            yield event.person_id, event.destination
        case MessageSubmitted() | RecipientOptedIn() | RecipientOptedOut():
            yield event.person_id, event.recipient
        case MessageReceived():
            yield event.person_id, event.sender
        case ChatRated():
            yield event.person_id, event.phone
        case FallbackArmed():
            for step in event.steps:
                yield step.person_id, step.recipient
        case _:
            pass
