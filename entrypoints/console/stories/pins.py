"""The events of PINs in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ....domain.channel import ChannelOutcome, OutcomeStatus
from ....domain.event import Event
from ....domain.pin import (
    PinBlocked,
    PinDispatched,
    PinErased,
    PinExpired,
    PinIssued,
    PinReported,
    PinResent,
    PinSuperseded,
    PinVerified,
    VerifyFailed,
)
from ....domain.receipt import ReceiptStatus
from .telling import Told, bad, because, channel_words, counted, good, listed, priced, warn


def _issued(event: PinIssued) -> Told:
    channels = listed(map(channel_words, event.channels))
    code = f"code {event.issue}" if event.issue > 1 else "the first code"
    return _flagged(f"A PIN was made, and {code} is to go out by {channels}.", event)


def _resent(event: PinResent) -> Told:
    channels = listed(map(channel_words, event.channels))
    return _flagged(
        f"Code {event.issue} replaced the last one, and is to go out by {channels}.", event
    )


def _flagged(sentence: str, event: PinIssued | PinResent) -> Told:
    if event.test:
        sentence += " It is for a test destination, so nothing is sent."
    if event.flags:
        rules = counted(len(event.flags), "rule")
        return warn(f"{sentence} The guard only records {rules} that would refuse this send.")
    return Told(sentence)


def _dispatched(event: PinDispatched) -> Told:
    if event.test:
        return Told(
            f"Code {event.issue} was sent to nobody: the destination is a test destination."
        )
    said = [*_outcomes(event.outcomes)]
    sentence = f"Code {event.issue} was handed over: {'; '.join(said)}."
    statuses = {each.status for each in event.outcomes}
    if statuses == {OutcomeStatus.ACCEPTED}:
        return good(sentence)
    return warn(sentence) if OutcomeStatus.ACCEPTED in statuses else bad(sentence)


_OUTCOMES = {
    OutcomeStatus.ACCEPTED: "took it",
    OutcomeStatus.REJECTED: "rejected it",
    OutcomeStatus.UNKNOWN: "gave no answer",
}


def _outcomes(outcomes: Iterable[ChannelOutcome]) -> Iterable[str]:
    for each in outcomes:
        tried = len(each.tried)
        after = f" after {counted(tried, 'attempt')}" if tried > 1 else ""
        yield f"{channel_words(each.channel)} {_OUTCOMES[each.status]}{after}"


def _reported(event: PinReported) -> Told:
    sentence = (
        f"The provider of {channel_words(event.channel)} reports code {event.issue} as"
        f" {event.status}{because(event.error_code)}."
    )
    sentence += priced(event.segments, event.price)
    if event.status is ReceiptStatus.FAILED:
        return bad(sentence)
    return good(sentence) if event.status.arrived else Told(sentence)


def _failed(event: VerifyFailed) -> Told:
    left = counted(event.attempts_remaining, "attempt")
    return warn(f"A wrong code was entered; {left} left.")


PIN_STORIES: Mapping[type[Event], Any] = {
    PinIssued: _issued,
    PinResent: _resent,
    PinDispatched: _dispatched,
    PinReported: _reported,
    VerifyFailed: _failed,
    PinVerified: lambda event: good(f"The right code was entered. Code {event.issue} is verified."),
    PinBlocked: lambda _: bad(
        "A wrong code was entered, and no attempt is left. The PIN is blocked."
    ),
    PinExpired: lambda event: Told(f"Code {event.issue} was found expired."),
    PinSuperseded: lambda _: Told(
        "A later PIN for the same destination took the place of this one."
    ),
    PinErased: lambda _: warn(
        "The person was erased. No code of this PIN can be verified or sent."
    ),
}
