"""The body of the legacy platform's send (SPEC 4 E2, C-43)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import asdict, field, frozen

from ...domain.limits import AtMost, Characters, OneLine
from ..messaging.field_limits import a_sender, a_template_name
from ..messaging.message_bodies import MAX_PARAMETER
from ..messaging.message_rules import MAX_REFERENCE, check_recipients
from ..messaging.problems import Problems

MAX_URL = 2_048
# Meta's limits; the template decides how many there are.
MAX_BUTTONS, MAX_CARDS = 10, 10


class MediaType(StrEnum):
    """The media type of a header or a card."""

    IMAGE = "IMAGE"
    DOC = "DOC"
    VIDEO = "VIDEO"


class ButtonType(StrEnum):
    """The action of a button."""

    URL = "URL"
    QUICK_REPLY = "Quick_Reply"
    PHONE_NUMBER = "Phone_Number"


@frozen(kw_only=True)
class Media:
    """A file by its URL; only documents show a `name`."""

    type: MediaType
    url: str = field(repr=False, validator=OneLine(1, MAX_URL))
    name: str | None = field(default=None, validator=OneLine(0, 255))


@frozen(kw_only=True)
class Button:
    """A button of the template by its place; the template defines its label and its number."""

    type: ButtonType
    text: str | None = None
    payload: str | None = field(default=None, repr=False, validator=Characters(0, MAX_PARAMETER))


def by_position(_instance: object, _attribute: object, values: Mapping[str, str] | None) -> None:
    """Check that the keys are the positions from 1 on, and that no value is too long to send."""
    given = values or {}
    if given.keys() != set(map(str, range(1, len(given) + 1))):
        raise ValueError('must have positions from "1" on, none left out')
    if any(len(each) > MAX_PARAMETER for each in given.values()):
        raise ValueError(f"must have at most {MAX_PARAMETER} characters at each position")


@frozen(kw_only=True)
class Card:
    """One card of a carousel."""

    media: Media
    body_variables: Mapping[str, str] | None = field(
        default=None, repr=False, validator=by_position
    )
    buttons: tuple[Button, ...] | None = field(default=None, validator=AtMost(MAX_BUTTONS))


@frozen(kw_only=True)
class Tags:
    """Texts by which searches find a message in the delivery report."""

    tag1: str | None = field(default=None, validator=OneLine(0, MAX_REFERENCE))
    tag2: str | None = field(default=None, validator=OneLine(0, MAX_REFERENCE))
    tag3: str | None = field(default=None, validator=OneLine(0, MAX_REFERENCE))


@frozen(kw_only=True)
class LegacySend:
    """A text, media, combined or carousel message; its template decides which."""

    sender_phone: str = field(validator=a_sender)
    recipient_phone: str = field(repr=False)
    journey_id: str = field(validator=OneLine(1, MAX_REFERENCE))
    template_id: str = field(validator=a_template_name)
    department_id: str | None = field(default=None, validator=OneLine(0, MAX_REFERENCE))
    callback_url: str | None = field(default=None, repr=False)
    tags: Tags | None = field(default=None, repr=False)
    header_variables: Mapping[str, str] | None = field(
        default=None, repr=False, validator=by_position
    )
    body_variables: Mapping[str, str] | None = field(
        default=None, repr=False, validator=by_position
    )
    buttons: tuple[Button, ...] | None = field(default=None, validator=AtMost(MAX_BUTTONS))
    media: Media | None = None
    cards: tuple[Card, ...] | None = field(default=None, validator=AtMost(MAX_CARDS))

    @property
    def cust_refs(self) -> dict[str, str]:
        """The platform's ids of the message as custom references, by which searches find it (D-102)."""
        given = {"journeyId": self.journey_id, "departmentId": self.department_id}
        return {name: text for name, text in given.items() if text}

    @property
    def tag_texts(self) -> dict[str, str]:
        """The tags that are not empty."""
        return (
            {} if self.tags is None else {n: text for n, text in asdict(self.tags).items() if text}
        )


def read_send(raw: Any, problems: Problems) -> LegacySend | None:
    """Read a body; note every wrong field in `problems`."""
    wanted = problems.read("", raw, LegacySend)
    if isinstance(raw, dict):
        check_recipients(problems, {"recipientPhone": raw.get("recipientPhone")}, None)
        if raw.get("headerVariables") and raw.get("media"):
            problems.note("media", "must not stand beside headerVariables: a header is one of them")
    return wanted
