"""Create the short links of a call, with the messages that contain them (C-29)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import field, frozen

from ....domain.message import Content
from ....domain.short_link import (
    CODE_ALPHABET,
    CODE_LENGTH,
    ShortLinkCreated,
    create,
    link_id,
    short_link_decider,
)
from ...journal import beginning
from ...ports.event_store import Change
from ...ports.randomness import Randomness
from ...ports.sealer import Sealer
from ..planning.measuring_links import short_address
from ..planning.send_requests import LinkRequest
from ..planning.shortening import Shortening


class MakingShortLinks:
    """Creates the links of calls."""

    def __init__(self, sealer: Sealer, randomness: Randomness) -> None:
        self._sealer = sealer
        self._randomness = randomness

    def of_call(
        self,
        account_id: str,
        links: Sequence[LinkRequest],
        now: datetime,
        *,
        hidden: bool,
        only_person: str | None,
    ) -> LinksOfCall:
        """
        Begin with a call. If it carries a code, its addresses are `hidden`, too (D-76).

        `only_person` is the person to whom all of its messages go, if there is only one.
        """
        return LinksOfCall(
            self._sealer, self._randomness, account_id, links, now, hidden, only_person
        )


@frozen
class LinkedContent:
    """A content with short addresses; `own` are the links with a code for each message."""

    content: Content
    own: tuple[OwnLink, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks in the content for the codes of each message, in order."""
        return tuple(each.mark for each in self.own)


@frozen
class OwnLink:
    """An address for which each message has a link of its own, and the mark for its code."""

    long_url: str = field(repr=False)
    mark: str = field(repr=False)


class LinksOfCall:
    """
    The links of one call: one for an address, or one for each message with the address.

    A message and its fallback steps share their links. `changes` are for the append of the call, so a
    link exists before anyone can receive it. Contents are compared by identity: messages of one object
    have one content, which is searched once.
    """

    def __init__(
        self,
        sealer: Sealer,
        randomness: Randomness,
        account_id: str,
        links: Sequence[LinkRequest],
        now: datetime,
        hidden: bool,
        only_person: str | None,
    ) -> None:
        self._sealer = sealer
        self._randomness = randomness
        self._account_id = account_id
        self._links = {each.long_url: each for each in links}
        self._shortening = Shortening(self._links)
        self._now = now
        self._hidden = hidden
        self._only_person = only_person
        self._linked: dict[int, tuple[Content, LinkedContent]] = {}
        self._own: dict[str, OwnLink] = {}
        self._codes: dict[tuple[str, str | None], str] = {}
        self.changes: list[Change] = []

    def linked(self, content: Content) -> LinkedContent:
        """Return a content with its short addresses; marks stand for the codes of each message."""
        if not self._links:
            return LinkedContent(content)
        # The content is kept beside its result, so that no other object gets its identity.
        if id(content) not in self._linked:
            self._linked[id(content)] = content, self._shortened(content)
        return self._linked[id(content)][1]

    def codes(self, message_id: str, person_id: str, linked: LinkedContent) -> tuple[str, ...]:
        """Return the codes of a message's own links in a content; create those that are missing."""
        return tuple([self._code(each.long_url, message_id, person_id) for each in linked.own])

    def _shortened(self, content: Content) -> LinkedContent:
        own: dict[str, OwnLink] = {}

        def short(url: str) -> str:
            link = self._links[url]
            if not link.per_message:
                return short_address(link, self._code(url, None, self._only_person))
            own[url] = self._own_link(url)
            return short_address(link, own[url].mark)

        shortened = self._shortening.applied(content, short)
        return LinkedContent(shortened, tuple(own.values()))

    def _own_link(self, url: str) -> OwnLink:
        if url not in self._own:
            self._own[url] = OwnLink(url, self._randomness.new_code(CODE_ALPHABET, CODE_LENGTH))
        return self._own[url]

    def _code(self, url: str, message_id: str | None, person_id: str | None) -> str:
        if (url, message_id) not in self._codes:
            self._codes[url, message_id] = self._new(url, message_id, person_id)
        return self._codes[url, message_id]

    def _new(self, url: str, message_id: str | None, person_id: str | None) -> str:
        code = self._randomness.new_code(CODE_ALPHABET, CODE_LENGTH)
        stream = link_id(code)
        sealed = self._sealer.seal_under(code, stream, url.encode()) if self._hidden else None
        created = ShortLinkCreated(
            at=self._now,
            account_id=self._account_id,
            person_id=person_id,
            message_id=message_id,
            url=None if self._hidden else url,
            sealed=sealed,
        )
        self.changes.append(beginning(short_link_decider, stream, create(created)))
        return code
