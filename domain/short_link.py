"""A short link: the address behind its code, and the number of clicks (C-29)."""

from __future__ import annotations

import hashlib
import re
import string
from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from .decider import Decider, Decision, as_the_first, begun
from .errors import NotFoundError
from .event import Event, personal, secret
from .public_url import MAX_URL

# 95 random bits, more than the 64 of C-29: without the code, nobody can open a sealed address in the store.
CODE_LENGTH = 16
CODE_ALPHABET = string.ascii_letters + string.digits
# A link can be followed without end. This limit bounds the events that clicks store (D-77).
MAX_CLICKS = 10_000

# RFC 3986, without user and password, which could pass for a host.
_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?|\[[0-9A-Fa-f:.]+\])"
_URL = re.compile(
    rf"(?i:https?)://{_HOST}(?::[0-9]{{1,5}})?(?:[/?#][A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*)?"
)


class ShortLinkNotFoundError(NotFoundError):
    """No short link has this code."""

    def __init__(self) -> None:
        super().__init__("There is no such link. Look whether the address was typed whole.")


@frozen(kw_only=True)
class ShortLinkCreated(Event):
    """
    A short link was created, before the message with it was sent.

    `message_id` is set if the link belongs to one message, `person_id` if one person alone gets it. If the
    message carries a code, `url` is None, and only the link's own code opens `sealed` (D-76).
    """

    account_id: str
    person_id: str | None = None
    message_id: str | None = None
    url: str | None = personal(default=None)
    sealed: str | None = secret(default=None)


@frozen(kw_only=True)
class ShortLinkClicked(Event):
    """
    A person or a program followed the link for the `clicks`th time.

    `message_id` and `url` repeat those of the creation.
    """

    message_id: str | None = None
    url: str | None = personal(default=None)
    clicks: int


@frozen(kw_only=True)
class ShortLinkDisabled(Event):
    """The link was disabled; it does not redirect until it is enabled."""


@frozen(kw_only=True)
class ShortLinkEnabled(Event):
    """The link was enabled; it redirects again."""


LaterShortLinkEvent = ShortLinkClicked | ShortLinkDisabled | ShortLinkEnabled
ShortLinkEvent = ShortLinkCreated | LaterShortLinkEvent


@frozen(kw_only=True)
class ShortLink:
    """The state of a short link; `switches` counts how often it was disabled or enabled."""

    account_id: str
    person_id: str | None = None
    message_id: str | None
    url: str | None = field(repr=False)
    sealed: str | None = field(repr=False)
    clicks: int = 0
    created_at: datetime
    clicked_at: datetime | None = None
    disabled_at: datetime | None = None
    switches: int = 0


def link_id(code: str) -> str:
    """
    Return the id of the link with a code.

    The code leads to the address, and histories show the id. So the id must not reveal the code.
    """
    return f"lnk_{hashlib.sha256(code.encode()).hexdigest()[:32]}"


def is_code(text: str) -> bool:
    """Return whether a text can be a code."""
    return len(text) == CODE_LENGTH and text.isascii() and text.isalnum()


def is_web_address(text: str) -> bool:
    """Return whether a text is an http or https address that a `Location` header can carry."""
    return len(text) <= MAX_URL and _URL.fullmatch(text) is not None


def create(created: ShortLinkCreated) -> Decision:
    """Create a link."""
    return Decision((created,))


def click(link: ShortLink, at: datetime) -> Decision:
    """Count a click, up to `MAX_CLICKS`; raises `ShortLinkNotFoundError` while the link is disabled."""
    if link.disabled_at is not None:
        raise ShortLinkNotFoundError
    if link.clicks >= MAX_CLICKS:
        return Decision()
    clicked = ShortLinkClicked(
        at=at, message_id=link.message_id, url=link.url, clicks=link.clicks + 1
    )
    return Decision((clicked,))


def disable(link: ShortLink, at: datetime) -> Decision:
    """Disable a link; nothing happens when it is disabled already."""
    return Decision() if link.disabled_at is not None else Decision((ShortLinkDisabled(at=at),))


def enable(link: ShortLink, at: datetime) -> Decision:
    """Enable a link again; nothing happens when it is not disabled."""
    return Decision() if link.disabled_at is None else Decision((ShortLinkEnabled(at=at),))


def begin(event: ShortLinkCreated) -> ShortLink:
    """Return the state after the first event."""
    return begun(ShortLink, event)


def evolve(link: ShortLink, event: LaterShortLinkEvent) -> ShortLink:
    """Apply a later event."""
    match event:
        case ShortLinkClicked():
            return attrs.evolve(link, clicks=event.clicks, clicked_at=event.at)
        case ShortLinkDisabled():
            return attrs.evolve(link, disabled_at=event.at, switches=link.switches + 1)
        case ShortLinkEnabled():
            return attrs.evolve(link, disabled_at=None, switches=link.switches + 1)
        case _:
            assert_never(event)


def redecide(link: ShortLink | None, event: ShortLinkEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if link is None or isinstance(event, ShortLinkCreated):
        return as_the_first(link, event)
    match event:
        case ShortLinkClicked():
            return click(link, event.at)
        case ShortLinkDisabled():
            return disable(link, event.at)
        case ShortLinkEnabled():
            return enable(link, event.at)
        case _:
            assert_never(event)


short_link_decider: Decider[ShortLink] = Decider(
    "short_link", begin, (ShortLinkCreated,), evolve, get_args(LaterShortLinkEvent)
)
