"""
Make deliveries from the log, which is the outbox (C-33, D-66).

A follower of the log writes the deliveries for a batch of events together with its position. So every
committed event gets its deliveries exactly once. An erased person's events get none (D-338).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import datetime
from itertools import chain

from ...domain.callback_endpoint import OPERATORS, CallbackEndpointTested, wants
from ...domain.event import Event
from ...domain.message import Message, MessageDispatched, MessageEnded, MessageReported
from ...domain.short_link import ShortLinkClicked, short_link_decider
from ..journal import Journal
from ..log_follower import Consequences
from ..people.people import People
from ..ports.clock import Clock
from ..ports.event_store import Due, DueKind, Recorded
from ..ports.randomness import Randomness
from ..records import record_of
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.callback_endpoint import CallbackEndpointRow
from ..records.short_link import ShortLinkRow
from ..short_links.following_short_links import link_of
from .deliveries import DELIVERY_PREFIX, DeliveryStatus
from .live_endpoints import LiveEndpoints
from .notification import Notification, Transition, WriteCallback
from .notifications import NOTIFICATIONS
from .notifying_senders import MessagesWithUrls, Progress, WriteProgress

# The name of the follower.
FOLLOWER = "callbacks"
# The events that matter while no account has an endpoint; those of operators may be tested.
_OF_MESSAGES = frozenset({MessageDispatched, MessageReported, MessageEnded, CallbackEndpointTested})


class MakingDeliveries:
    """Makes the deliveries of events: for accounts, and for the senders of messages."""

    def __init__(
        self,
        journal: Journal,
        people: People,
        write_callback: WriteCallback,
        write_progress: WriteProgress,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._people = people
        self._write_callback = write_callback
        self._write_progress = write_progress
        self._randomness = randomness
        self._clock = clock
        self._endpoints = LiveEndpoints(journal)
        self._with_urls = MessagesWithUrls(journal)

    async def since(self) -> int | None:
        """Return the position after which events may have callbacks; None while no URL exists."""
        since = [await self._endpoints.since(each.id) for each in await self._endpoints.all()]
        if (first := await self._with_urls.since()) is not None:
            since.append(first)
        return min(since, default=None)

    async def react(self, batch: Sequence[Recorded]) -> Consequences:
        """
        Return the deliveries for a batch of events.

        Raises `SealKeyMissingError` on a node that cannot read one of its people; another node follows.
        """
        now = self._clock.now()
        # An endpoint that this batch creates is among them.
        endpoints = await self._endpoints.all()
        since = {each.id: await self._endpoints.since(each.id) for each in endpoints}
        of_accounts = any(each.account_id != OPERATORS for each in endpoints)
        kinds = NOTIFICATIONS.keys() if of_accounts else _OF_MESSAGES
        transitions = await self._transitions(batch, kinds)
        people = [_person(each) for _, each in transitions]
        living = await self._people.readable({each for each in people if each is not None})
        rows = tuple(
            row
            for (recorded, transition), person_id in zip(transitions, people, strict=True)
            if person_id is None or person_id in living
            for row in self._deliveries(endpoints, since, recorded, transition, person_id, now)
        )
        return Consequences(
            rows=rows, due=tuple(Due(DueKind.CALLBACK, row.id, 0, now) for row in rows)
        )

    async def _transitions(
        self, batch: Sequence[Recorded], kinds: Set[type[Event]]
    ) -> Sequence[tuple[Recorded, Transition]]:
        """Return the events of some kinds in a batch, each with the states before and after it."""
        wanted = [each for each in batch if type(each.event) in kinds]
        clicks = [each for each in wanted if isinstance(each.event, ShortLinkClicked)]
        links = await self._journal.rows(ShortLinkRow, {each.stream for each in clicks})
        streams = dict.fromkeys(
            each.stream for each in wanted if not isinstance(each.event, ShortLinkClicked)
        )
        histories = await asyncio.gather(*(self._journal.read_stream(each) for each in streams))
        first, last = batch[0].position, batch[-1].position
        replayed = (_replayed(each, first, last) for each in histories)
        return [*chain(_clicks(clicks, links), *replayed)]

    def _deliveries(
        self,
        endpoints: Sequence[CallbackEndpointRow],
        since: Mapping[str, int],
        recorded: Recorded,
        transition: Transition,
        person_id: str | None,
        now: datetime,
    ) -> Iterator[CallbackDeliveryRow]:
        """Yield the deliveries of one event: to its account's endpoints, and to a message's sender."""
        notification = NOTIFICATIONS[type(recorded.event)](transition)
        if notification is None:
            return
        of = transition.after
        for endpoint in endpoints:
            if since[endpoint.id] < recorded.position and _concerns(
                endpoint, transition, notification
            ):
                body = self._write_callback(notification, recorded.event.at)
                to = (of.account_id, person_id, endpoint.id)
                yield self._delivery(recorded, notification, body, now, *to)
        if isinstance(of, Message) and of.callback_url is not None and of.history:
            progress = self._write_progress(Progress.of(recorded.stream, of))
            if progress is not None:
                sender = (of.account_id, person_id, recorded.stream, of.callback_url)
                yield self._delivery(recorded, notification, progress, now, *sender)

    def _delivery(
        self,
        recorded: Recorded,
        notification: Notification,
        body: str,
        now: datetime,
        account_id: str,
        person_id: str | None,
        endpoint_id: str,
        url: str | None = None,
    ) -> CallbackDeliveryRow:
        event = recorded.event
        return CallbackDeliveryRow(
            id=(
                event.delivery_id
                if isinstance(event, CallbackEndpointTested)
                else self._randomness.new_id(DELIVERY_PREFIX)
            ),
            account_id=account_id,
            person_id=person_id,
            endpoint_id=endpoint_id,
            url=url,
            type=str(notification.type),
            event_id=recorded.event_id,
            event_version=recorded.version,
            body=body,
            created_at=recorded.event.at,
            queued_at=now,
            status=str(DeliveryStatus.PENDING),
            attempts=0,
            last_status=None,
            last_answer=None,
            error=None,
            next_attempt_at=now,
            ended_at=None,
        )


def _concerns(
    endpoint: CallbackEndpointRow, transition: Transition, notification: Notification
) -> bool:
    if isinstance(transition.event, CallbackEndpointTested):
        return endpoint.id == transition.stream
    return endpoint.account_id == transition.after.account_id and wants(
        endpoint.events, notification.type
    )


def _person(transition: Transition) -> str | None:
    """Return the person whom an event is about."""
    return record_of(transition.event).person(transition.after, transition.event)


def _replayed(
    history: Sequence[Recorded], first: int, last: int
) -> Iterator[tuple[Recorded, Transition]]:
    """Yield the events of a stream between two positions that have notifications, with their states."""
    decider = record_of(history[0].event).decider
    before = state = None
    for recorded in history:
        before, state = state, decider.fold((recorded.event,), state)
        if type(recorded.event) in NOTIFICATIONS and first <= recorded.position <= last:
            yield recorded, Transition(recorded.stream, recorded.event, before, state)


def _clicks(
    clicks: Sequence[Recorded], links: Mapping[str, ShortLinkRow]
) -> Iterator[tuple[Recorded, Transition]]:
    """Yield clicks with the states around them, without reading streams: a link may have thousands."""
    for recorded in clicks:
        # The row may be newer than the click.
        before = link_of(links[recorded.stream])
        after = short_link_decider.evolve(before, recorded.event)
        yield recorded, Transition(recorded.stream, recorded.event, before, after)
