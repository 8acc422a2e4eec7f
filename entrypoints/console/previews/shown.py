"""The view model of all previews: a phone's screen with bubbles, cards and buttons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum

from attrs import field, frozen

from ....domain.placeholders import NAMED, POSITION
from ....domain.rcs_template import looks_like_a_video
from ....domain.sms.length import SmsLength


class Style(StrEnum):
    """How a phone shows a piece of a text; `blank` is a placeholder that nothing has filled in yet."""

    PLAIN = "plain"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    STRUCK = "struck"
    CODE = "code"
    BLANK = "blank"


@frozen
class Run:
    """A piece of a text in one style."""

    text: str = field(repr=False)
    style: Style = Style.PLAIN


Text = tuple[Run, ...]


@frozen
class Medium:
    """A medium by its kind (`image`, `video`, `document`, `audio`, `location`) and its address or name."""

    kind: str
    where: str = field(repr=False)


REPLIES, OPENS = "Replies", "Opens "


@frozen
class Button:
    """A button: its label, in words what a press does, and what there is to choose from after it."""

    label: str = field(repr=False)
    does: str = field(repr=False)
    choices: tuple[str, ...] = field(default=(), repr=False)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers that a press can send: its label, or one of its choices."""
        return (self.label,) if self.does == REPLIES else self.choices

    @property
    def opens(self) -> str:
        """The address that a press opens; empty if it opens none."""
        return self.does.removeprefix(OPENS) if self.does.startswith(OPENS) else ""


@frozen(kw_only=True)
class Bubble:
    """
    A bubble or a card.

    `beside` is the side of the medium on a horizontal card, and `height` is the medium's height; `below` says
    that it stands below the text.
    """

    medium: Medium | None = None
    title: Text = ()
    text: Text = ()
    footer: str = field(default="", repr=False)
    buttons: tuple[Button, ...] = ()
    beside: str = ""
    height: str = ""
    below: bool = False


@frozen(kw_only=True)
class Preview:
    """
    What one phone shows: bubbles, then a row of cards, then the suggestions below them.

    `length` is that of an SMS. `note` says what a preview cannot show. `language` is the tag of a text that
    stands beside others.
    """

    channel: str
    language: str = ""
    sender: str = field(default="", repr=False)
    subject: Text = ()
    bubbles: tuple[Bubble, ...] = ()
    cards: tuple[Bubble, ...] = ()
    suggestions: tuple[Button, ...] = ()
    length: SmsLength | None = None
    note: str = ""


def named_blanks(text: str) -> Text:
    """Return a text whose placeholders in brackets are blanks, as in RCS templates."""
    return tuple(_split(text, NAMED, Style.BLANK))


def numbered_blanks(text: str) -> Text:
    """Return a text whose positions in double braces are blanks, as in all other templates."""
    return tuple(_split(text, POSITION, Style.BLANK))


def plain(text: str) -> Text:
    """Return a text as it is."""
    return (Run(text),) if text else ()


def medium_of(address: str, name: str) -> Medium | None:
    """Return the medium at an address or with a file's name; None without both."""
    where = address or name
    if not where:
        return None
    told = (name or where.partition("?")[0]).lower()
    if looks_like_a_video(told):
        return Medium("video", where)
    return Medium("document" if told.endswith(_DOCUMENTS) else "image", where)


def _split(text: str, wanted: re.Pattern[str], style: Style) -> Iterator[Run]:
    at = 0
    for found in wanted.finditer(text):
        if found.start() > at:
            yield Run(text[at : found.start()])
        yield Run(found[0], style)
        at = found.end()
    if at < len(text):
        yield Run(text[at:])


def restyled(text: Text, style: Callable[[str], Iterator[Run]]) -> Text:
    """Return a text whose plain runs are split further."""
    return tuple(
        each
        for run in text
        for each in (style(run.text) if run.style is Style.PLAIN else iter((run,)))
    )


_DOCUMENTS = (".pdf", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".txt", ".csv")
