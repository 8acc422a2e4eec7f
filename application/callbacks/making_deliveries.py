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

from ...domain.callback_endpoint import CallbackEndpointCreated, wants
from ...domain.message import Message, MessageDispatched, MessageEnded, MessageReported
from ...domain.short_link import ShortLinkClicked, short_link_decider
from ..caller import THE_WORKER
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Checkpoint, Due, DueKind, Overtaken, Recorded
from ..ports.randomness import Randomness
from ..records import record_of
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.callback_endpoint import CallbackEndpointRow
from ..records.short_link import ShortLinkRow
from ..short_links.following_short_links import link_of
from .deliveries import DeliveryStatus
from .live_endpoints import LiveEndpoints
from .log_wakeup import LogWakeup
from .telling import TOLD, Moment, Told, WriteCallback
from .telling_senders import CalledBackMessages, Progress, WriteProgress

# How far the log has been followed; one number for all endpoints.
FOLLOWED = "callbacks"
_STRETCH = 128
# All that there is to look at while no account has an endpoint.
_OF_MESSAGES = frozenset({MessageDispatched, MessageReported, MessageEnded})


class FollowingLog:
    """Makes deliveries of what is appended; does nothing while there is no URL to call."""

    kind = None

    def __init__(
        self,
        journal: Journal,
        wakeup: LogWakeup,
        write_callback: WriteCallback,
        write_progress: WriteProgress,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._write_callback = write_callback
        self._write_progress = write_progress
        self._randomness = randomness
        self._clock = clock
        self._endpoints = LiveEndpoints(journal)
        self._called_back = CalledBackMessages(journal)
        self.wakeup = wakeup

    async def run_due(self) -> int:
        """Follow a stretch of the log, and give how many events were in it."""
        endpoints = await self._endpoints.all()
        since = [await self._endpoints.since(each.id) for each in endpoints]
        if (first := await self._called_back.since()) is not None:
            since.append(first)
        self.wakeup.wanted = bool(since)
        if not since:
            return 0
        followed = await self._journal.position(FOLLOWED)
        # Nobody is told of what was before the oldest: an old log is not read for a first endpoint.
        stretch = await self._journal.read_log(max(followed, min(since)), _STRETCH)
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
        told = TOLD.keys() if endpoints else _OF_MESSAGES
        clicks = [each for each in stretch if type(each.event) in told & {ShortLinkClicked}]
        links = await self._journal.rows(ShortLinkRow, {each.stream for each in clicks})
        streams = dict.fromkeys(
            each.stream for each in stretch if type(each.event) in told - {ShortLinkClicked}
        )
        stories = await asyncio.gather(*(self._journal.read_stream(each) for each in streams))
        moments = [_moments(story, stretch[0].position) for story in stories]
        rows = [
            row
            for recorded, moment in chain(_clicks(clicks, links), *moments)
            if recorded.position <= stretch[-1].position
            for row in self._deliveries(endpoints, known, recorded, moment, now)
        ]
        try:
            await self._journal.write(
                THE_WORKER,
                now,
                checkpoints=(Checkpoint(FOLLOWED, followed, stretch[-1].position),),
                rows=tuple(rows),
                due=tuple(Due(DueKind.CALLBACK, row.id, 0, now) for row in rows),
            )
        except Overtaken:
            # Another node has followed this stretch.
            return

    def _deliveries(
        self,
        endpoints: Sequence[CallbackEndpointRow],
        known: Mapping[str, int],
        recorded: Recorded,
        moment: Moment,
        now: datetime,
    ) -> Iterator[CallbackDeliveryRow]:
        """Give the deliveries that follow from an event: to its account, and to a message's sender."""
        told = TOLD[type(recorded.event)](moment)
        if told is None:
            return
        of = moment.after
        for endpoint in endpoints:
            if (
                endpoint.account_id == of.account_id
                and known[endpoint.id] < recorded.position
                and wants(endpoint.events, told.type)
            ):
                body = self._write_callback(told, recorded.event.at)
                yield self._delivery(of.account_id, endpoint.id, None, recorded, told, body, now)
        if isinstance(of, Message) and of.callback_url is not None and of.history:
            written = self._write_progress(Progress.of(recorded.stream, of))
            if written is not None:
                yield self._delivery(
                    of.account_id, recorded.stream, of.callback_url, recorded, told, written, now
                )

    def _delivery(
        self,
        account_id: str,
        endpoint_id: str,
        url: str | None,
        recorded: Recorded,
        told: Told,
        body: str,
        now: datetime,
    ) -> CallbackDeliveryRow:
        return CallbackDeliveryRow(
            id=self._randomness.new_id("dlv"),
            account_id=account_id,
            endpoint_id=endpoint_id,
            url=url,
            type=told.type,
            event_id=recorded.event_id,
            event_version=recorded.version,
            body=body,
            created_at=recorded.event.at,
            queued_at=now,
            status=str(DeliveryStatus.PENDING),
            attempts=0,
            last_status=None,
            error=None,
            next_attempt_at=now,
            ended_at=None,
        )


def _moments(story: Sequence[Recorded], first: int) -> Iterator[tuple[Recorded, Moment]]:
    """Give what may be told of a stream from a position on."""
    decider = record_of(story[0].event).decider
    state = decider.initial
    for recorded in story:
        before, state = state, decider.evolve(state, recorded.event)
        if type(recorded.event) in TOLD and recorded.position >= first:
            yield recorded, Moment(recorded.stream, recorded.event, before, state)


def _clicks(
    clicks: Sequence[Recorded], links: Mapping[str, ShortLinkRow]
) -> Iterator[tuple[Recorded, Moment]]:
    """Give what may be told of clicks; strangers make thousands on one link, which nobody reads again."""
    for recorded in clicks:
        # The row may be of a later click.
        before = link_of(links[recorded.stream])
        after = short_link_decider.evolve(before, recorded.event)
        yield recorded, Moment(recorded.stream, recorded.event, before, after)
