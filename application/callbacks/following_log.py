"""
From the log to deliveries: the outbox is the log itself (C-33, D-66).

That an event is told follows from the event, so an event and its callbacks are one commit. Whoever
follows reads a stretch of the log and writes, in one append, the deliveries of all that is told in it
and how far it has come; a crash before that append leaves everything to do, one after it nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from ...domain.callback_endpoint import CallbackEndpointCreated, wants
from ...domain.short_link import ShortLink, ShortLinkClicked, short_link_decider
from ..aggregates import decider_of
from ..caller import WORKER, Caller
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Advance, Due, DueKind, Overtaken, Recorded
from ..ports.randomness import Randomness
from ..read_models.rows import CallbackDeliveryRow, CallbackEndpointRow, ShortLinkRow
from .deliveries import DeliveryStatus
from .live_endpoints import LiveEndpoints
from .log_news import LogNews
from .telling import TOLD, Moment, Told, body_of

# How far the log has been followed; one number for all endpoints.
FOLLOWED = "callbacks"
_STRETCH = 128


class FollowingLog:
    """Makes deliveries of what is appended; does nothing while no account has an endpoint."""

    kind = None

    def __init__(
        self, journal: Journal, news: LogNews, randomness: Randomness, clock: Clock
    ) -> None:
        self._journal = journal
        self._randomness = randomness
        self._clock = clock
        self._endpoints = LiveEndpoints(journal)
        self.news = news

    async def run_due(self) -> int:
        """Follow a stretch of the log, and give how many events were in it."""
        endpoints = await self._endpoints.all()
        self.news.wanted = bool(endpoints)
        if not endpoints:
            return 0
        followed = await self._journal.position(FOLLOWED)
        # Nobody is told of what was before the oldest: an old log is not read for a first endpoint.
        since = min([await self._endpoints.since(each.id) for each in endpoints])
        stretch = await self._journal.read_log(max(followed, since), _STRETCH)
        if not stretch:
            return 0
        if any(isinstance(each.event, CallbackEndpointCreated) for each in stretch):
            # It may be newer than what was found above.
            endpoints = await self._endpoints.all()
        await self._follow(endpoints, stretch, followed)
        return len(stretch)

    async def _follow(
        self, endpoints: Sequence[CallbackEndpointRow], stretch: Sequence[Recorded], followed: int
    ) -> None:
        now = self._clock.now()
        known = {each.id: await self._endpoints.since(each.id) for each in endpoints}
        clicks = [each for each in stretch if isinstance(each.event, ShortLinkClicked)]
        links = await self._journal.rows(ShortLinkRow, {each.stream for each in clicks})
        streams = dict.fromkeys(
            each.stream
            for each in stretch
            if type(each.event) in TOLD and not isinstance(each.event, ShortLinkClicked)
        )
        stories = await asyncio.gather(*(self._journal.read_stream(each) for each in streams))
        told_of = [_told(story, stretch[0].position) for story in stories]
        rows = [
            self._delivery(endpoint, recorded, told, now)
            for account_id, recorded, told in chain(_told_of_clicks(clicks, links), *told_of)
            if recorded.position <= stretch[-1].position
            for endpoint in endpoints
            if endpoint.account_id == account_id
            and known[endpoint.id] < recorded.position
            and wants(endpoint.events, told.type)
        ]
        try:
            await self._journal.write(
                Caller("", WORKER, ""),
                now,
                advances=(Advance(FOLLOWED, followed, stretch[-1].position),),
                rows=tuple(rows),
                due=tuple(Due(DueKind.CALLBACK, row.id, 0, now) for row in rows),
            )
        except Overtaken:
            # Another node has followed this stretch.
            return

    def _delivery(
        self, endpoint: CallbackEndpointRow, recorded: Recorded, told: Told, now: datetime
    ) -> CallbackDeliveryRow:
        return CallbackDeliveryRow(
            id=self._randomness.new_id("dlv"),
            endpoint_id=endpoint.id,
            type=told.type,
            event_id=recorded.event_id,
            body=body_of(told, recorded.event.at),
            created_at=recorded.event.at,
            queued_at=now,
            status=str(DeliveryStatus.PENDING),
            attempts=0,
            last_status=None,
            error=None,
            next_attempt_at=now,
            ended_at=None,
        )


def _told(story: Sequence[Recorded], first: int) -> Iterator[tuple[str, Recorded, Told]]:
    """Give what a stream has to tell from a position on, and the account that it belongs to."""
    decider = decider_of(story[0].event)
    state = decider.initial
    for recorded in story:
        before, state = state, decider.evolve(state, recorded.event)
        tell = TOLD.get(type(recorded.event))
        if tell is not None and recorded.position >= first:
            told = tell(Moment(recorded.stream, recorded.event, before, state))
            if told is not None:
                yield state.account_id, recorded, told


def _told_of_clicks(
    clicks: Sequence[Recorded], links: Mapping[str, ShortLinkRow]
) -> Iterator[tuple[str, Recorded, Told]]:
    """Give what clicks have to tell; strangers make thousands on one link, which nobody reads again."""
    for recorded in clicks:
        event: Any = recorded.event
        link = links[recorded.stream]
        # A link is created, and then clicked.
        before = ShortLink(
            account_id=link.account_id,
            message_id=event.message_id,
            url=event.url,
            clicks=recorded.version - 2,
        )
        after = short_link_decider.evolve(before, event)
        told = TOLD[ShortLinkClicked](Moment(recorded.stream, event, before, after))
        if told is not None:
            yield link.account_id, recorded, told
