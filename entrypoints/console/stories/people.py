"""The events about people, the guard, media and retention in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....domain.consent import OptList, RecipientOptedIn, RecipientOptedOut, RecipientUnlisted
from ....domain.event import Event
from ....domain.guard import (
    CountryBaselineSet,
    GuardPolicyRevised,
    Rule,
    SendsFlagged,
    SendsRefused,
    SubjectReleased,
    TestDestinationNoted,
)
from ....domain.media import MediaRemoved, MediaStored
from ....domain.person import PersonErased
from ....domain.retention import RetentionSet
from ....domain.test_destination import TestDestinationRemoved, TestDestinationSet
from .telling import Told, bad, channel_words, counted, good, warn

_LISTS = {OptList.IN: "opt-in", OptList.OUT: "opt-out"}


def _noted(event: TestDestinationNoted) -> Told:
    if event.until is None:
        return Told("The guard knows that a destination is no test destination any more.")
    return Told("The guard knows that a destination is a test destination.")


def _decided(event: SendsRefused | SendsFlagged) -> str:
    if event.rule is Rule.GUESSES:
        return counted(event.count, "guess", "guesses")
    return counted(event.count, "send")


PEOPLE_STORIES: Mapping[type[Event], Any] = {
    PersonErased: lambda _: warn("The person was erased. Nothing opens what was sealed for them."),
    RecipientOptedIn: lambda event: good(
        f"The person agreed to messages by {channel_words(event.channel)}."
    ),
    RecipientOptedOut: lambda event: warn(
        f"The person wants no more messages by {channel_words(event.channel)}."
    ),
    RecipientUnlisted: lambda event: Told(f"The person left the {_LISTS[event.opt_list]} list."),
    TestDestinationSet: lambda _: Told("The destination got a fixed code. Nothing is sent to it."),
    TestDestinationRemoved: lambda _: Told("The destination is an ordinary one again."),
    TestDestinationNoted: _noted,
    GuardPolicyRevised: lambda _: Told("The guard policy of the account was replaced."),
    CountryBaselineSet: lambda event: Told(
        f"The guard allows {event.country} {counted(event.limit, 'unverified code')} a day"
        f" from {event.day:%d %B %Y} on."
    ),
    SubjectReleased: lambda event: good(
        f"An operator released a subject of the rule {event.rule}. Its budget counts from zero."
    ),
    SendsRefused: lambda event: bad(f"The rule {event.rule} refused {_decided(event)} or more."),
    SendsFlagged: lambda event: warn(
        f"The rule {event.rule} would have refused {_decided(event)} or more."
    ),
    MediaStored: lambda event: Told(
        f"A file was stored: {event.content_type}, {counted(event.size, 'byte')}."
    ),
    MediaRemoved: lambda _: warn("The file was removed. Its address answers that it is gone."),
    RetentionSet: lambda _: Told("It was set how long the account keeps what ended."),
}
