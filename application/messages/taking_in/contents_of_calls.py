"""The contents of one call as they are stored: once, however many recipients they have (C-94)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from attrs import field, frozen

from ....domain.message import Content
from ....domain.shared_content import ContentSubmitted, shared_content_decider, submit
from ...journal import beginning
from ...ports.event_store import Change
from ...ports.randomness import Randomness
from ...ports.sealer import SealKey
from ...records.shared_content import SHARED_CONTENT
from .making_short_links import LinkedContent, LinksOfCall
from .own_links import with_own_links
from .sealed_contents import SealedContents


@frozen(kw_only=True)
class SaidContent:
    """
    What one message says, and how that is stored with it.

    `kept` where it stands in the message's own stream, `content_id` and `link_codes` where it shares
    it; neither where nothing of it is stored.
    """

    content: Content = field(repr=False)
    kept: Content | None = None
    content_id: str | None = None
    link_codes: tuple[str, ...] = field(default=(), repr=False)


@frozen(kw_only=True)
class OrderedContent:
    """How what a step of a run would say is stored with the run; its fields are those of `FallbackStep`."""

    content: Content | None = None
    sealed: str | None = field(default=None, repr=False)
    content_id: str | None = None
    link_codes: tuple[str, ...] = field(default=(), repr=False)


class ContentsOfCall:
    """
    Stores a content by itself where several messages, or several runs, have it.

    One that a single message or run has stands in that one's stream, as one append has room for both.
    Contents are compared by identity: messages of one object have one content. `changes` are for the
    append that takes the call in.
    """

    def __init__(
        self,
        sealed: SealedContents,
        links: LinksOfCall,
        randomness: Randomness,
        account_id: str,
        now: datetime,
        *,
        sent: Iterable[Content],
        runs: int,
    ) -> None:
        """Begin with a call: `sent` are the contents of all messages that are tried."""
        self._sealed = sealed
        self._links = links
        self._randomness = randomness
        self._account_id = account_id
        self._now = now
        self._uses = Counter(map(id, sent))
        self._runs = runs
        # The content is kept beside its id, so that nothing else gets its identity meanwhile.
        self._stored: dict[int, tuple[Content, str]] = {}
        self.changes: list[Change] = []

    def of_message(self, message_id: str, content: Content, *, hidden: bool) -> SaidContent:
        """Return what a message says; nothing of a `hidden` content is stored (C-23)."""
        linked = self._links.linked(content)
        codes = self._links.codes(message_id, linked)
        said = with_own_links(linked.content, linked.marks, codes)
        if not hidden and self._uses[id(content)] > 1:
            content_id = self._shared(content, linked, None)
            return SaidContent(content=said, content_id=content_id, link_codes=codes)
        return SaidContent(content=said, kept=None if hidden else said)

    def of_step(
        self, run_id: str, step: int, key: SealKey | None, message_id: str, content: Content
    ) -> OrderedContent:
        """Return what a step of a message's run would say, sealed under the run's `key` if it has one."""
        linked = self._links.linked(content)
        codes = self._links.codes(message_id, linked)
        if self._runs > 1:
            content_id = self._shared(content, linked, key)
            if key is None:
                return OrderedContent(content_id=content_id, link_codes=codes)
            sealed = self._sealed.seal_codes(key, run_id, step, codes)
            return OrderedContent(content_id=content_id, sealed=sealed)
        said = with_own_links(linked.content, linked.marks, codes)
        if key is None:
            return OrderedContent(content=said)
        return OrderedContent(sealed=self._sealed.seal(key, run_id, step, said))

    def _shared(self, content: Content, linked: LinkedContent, key: SealKey | None) -> str:
        if id(content) not in self._stored:
            content_id = self._randomness.new_id(SHARED_CONTENT.prefix)
            submitted = ContentSubmitted(
                at=self._now,
                account_id=self._account_id,
                content=None if key else linked.content,
                sealed=self._sealed.seal_shared(key, content_id, linked.content) if key else None,
                own_links=linked.marks,
            )
            self._stored[id(content)] = content, content_id
            self.changes.append(beginning(shared_content_decider, content_id, submit(submitted)))
        return self._stored[id(content)][1]
