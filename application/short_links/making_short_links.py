"""Make the short links of a call, with the messages that carry them (C-29)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve

from ...domain.message import Content
from ...domain.short_link import (
    CODE_ALPHABET,
    CODE_LENGTH,
    ShortLinkCreated,
    create,
    link_id,
    short_link_decider,
)
from ..journal import beginning
from ..messages.planning_sends import Plan, PlannedMessage
from ..messages.send_requests import LinkRequest
from ..ports.event_store import Change
from ..ports.randomness import Randomness
from ..ports.sealer import Sealer
from .measuring_links import short_address
from .shortening import Shortening


class MakingShortLinks:
    """Makes the links of one call after the other."""

    def __init__(self, sealer: Sealer, randomness: Randomness) -> None:
        self._sealer = sealer
        self._randomness = randomness

    def of_call(
        self, account_id: str, links: Sequence[LinkRequest], now: datetime, *, hidden: bool
    ) -> LinksOfCall:
        """Begin with a call; of one that carries a code the addresses are `hidden` too (D-76)."""
        return LinksOfCall(self._sealer, self._randomness, account_id, links, now, hidden)


class LinksOfCall:
    """
    The links of one call: one for an address, or one for each message that it goes to.

    A message and the steps that it falls back to share theirs. `changes` are for the append that
    takes the call in: a link is there when somebody can have it.
    """

    def __init__(
        self,
        sealer: Sealer,
        randomness: Randomness,
        account_id: str,
        links: Sequence[LinkRequest],
        now: datetime,
        hidden: bool,
    ) -> None:
        self._sealer = sealer
        self._randomness = randomness
        self._account_id = account_id
        self._links = {each.long_url: each for each in links}
        self._shortening = Shortening(self._links)
        self._now = now
        self._hidden = hidden
        self._made: dict[tuple[str, str | None], str] = {}
        self.changes: list[Change] = []

    def shortened(
        self, message_id: str, planned: PlannedMessage, plan: Plan
    ) -> tuple[PlannedMessage, Plan]:
        """Give a message and its steps with short addresses."""
        if not self._links:
            return planned, plan

        def shortened(content: Content) -> Content:
            return self._shortening.applied(content, lambda url: self._short(url, message_id))

        steps = tuple(
            evolve(each, request=evolve(each.request, content=shortened(each.request.content)))
            for each in plan.steps
        )
        own = evolve(planned.request, content=shortened(planned.request.content))
        return evolve(planned, request=own), evolve(plan, steps=steps)

    def _short(self, url: str, message_id: str) -> str:
        link = self._links[url]
        owner = message_id if link.per_message else None
        if (url, owner) not in self._made:
            self._made[url, owner] = short_address(link, self._new(url, owner))
        return self._made[url, owner]

    def _new(self, url: str, message_id: str | None) -> str:
        code = self._randomness.new_code(CODE_ALPHABET, CODE_LENGTH)
        stream = link_id(code)
        sealed = self._sealer.seal_under(code, stream, url.encode()) if self._hidden else None
        created = ShortLinkCreated(
            at=self._now,
            account_id=self._account_id,
            message_id=message_id,
            url=None if self._hidden else url,
            sealed=sealed,
        )
        self.changes.append(beginning(short_link_decider, stream, create(created)))
        return code
