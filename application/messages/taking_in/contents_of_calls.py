"""Store each content of a call once, for any number of recipients (C-94)."""

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
class MessageContent:
    """
    The content of one message, and the form in which it is stored.

    `kept` is a content in the message's own stream. `content_id` and `link_codes` refer to a shared
    one. Without either, nothing of the content is stored.
    """

    content: Content = field(repr=False)
    kept: Content | None = None
    content_id: str | None = None
    link_codes: tuple[str, ...] = field(default=(), repr=False)


@frozen(kw_only=True)
class StepContent:
    """The form in which a step's content is stored with its run; the fields are those of `FallbackStep`."""

    content: Content | None = None
    sealed: str | None = field(default=None, repr=False)
    content_id: str | None = None
    link_codes: tuple[str, ...] = field(default=(), repr=False)


class ContentsOfCall:
    """
    Stores a content in a stream of its own if several messages or runs share it.

    The content of a single message or run is stored in that stream. Contents are compared by identity:
    messages of one object have one content. `changes` are for the append of the call.
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
        only_person: str | None,
    ) -> None:
        """Begin with a call: `sent` are the contents of all messages that are tried."""
        self._sealed = sealed
        self._links = links
        self._randomness = randomness
        self._account_id = account_id
        self._now = now
        self._uses = Counter(map(id, sent))
        self._runs = runs
        self._only_person = only_person
        # The content is kept beside its id, so that no other object gets its identity.
        self._stored: dict[int, tuple[Content, str]] = {}
        self.changes: list[Change] = []

    def of_message(
        self, message_id: str, person_id: str, content: Content, *, hidden: bool
    ) -> MessageContent:
        """Return the content of a message; nothing of a `hidden` content is stored (C-23)."""
        linked = self._links.linked(content)
        codes = self._links.codes(message_id, person_id, linked)
        with_links = with_own_links(linked.content, linked.marks, codes)
        if not hidden and self._uses[id(content)] > 1:
            content_id = self._shared(content, linked, None)
            return MessageContent(content=with_links, content_id=content_id, link_codes=codes)
        return MessageContent(content=with_links, kept=None if hidden else with_links)

    def of_step(
        self,
        run_id: str,
        step: int,
        key: SealKey | None,
        message_id: str,
        person_id: str,
        content: Content,
    ) -> StepContent:
        """Return the content of a step in a message's run, sealed under the run's `key` if it has one."""
        linked = self._links.linked(content)
        codes = self._links.codes(message_id, person_id, linked)
        if self._runs > 1:
            content_id = self._shared(content, linked, key)
            if key is None:
                return StepContent(content_id=content_id, link_codes=codes)
            sealed = self._sealed.seal_codes(key, run_id, step, codes)
            return StepContent(content_id=content_id, sealed=sealed)
        with_links = with_own_links(linked.content, linked.marks, codes)
        if key is None:
            return StepContent(content=with_links)
        return StepContent(sealed=self._sealed.seal(key, run_id, step, with_links))

    def _shared(self, content: Content, linked: LinkedContent, key: SealKey | None) -> str:
        if id(content) not in self._stored:
            content_id = self._randomness.new_id(SHARED_CONTENT.prefix)
            submitted = ContentSubmitted(
                at=self._now,
                account_id=self._account_id,
                person_id=self._only_person,
                content=None if key else linked.content,
                sealed=self._sealed.seal_shared(key, content_id, linked.content) if key else None,
                own_links=linked.marks,
            )
            self._stored[id(content)] = content, content_id
            self.changes.append(beginning(shared_content_decider, content_id, submit(submitted)))
        return self._stored[id(content)][1]
