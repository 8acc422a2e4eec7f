"""
Attempt deliveries. The node that counts an attempt first begins it, so each begins once (C-33).

An append of its own begins each attempt and puts its due row off for longer than a call takes. If the
process dies during the call, the delivery is attempted again under the same id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import urlsplit

from attrs import evolve

from ...domain.callback_endpoint import callback_endpoint_decider
from ...domain.event import ERASED, MASK
from ...domain.limits import UNSTORABLE
from ...domain.person import PERSON_ERASED
from ..caller import THE_WORKER
from ..concurrency.bounded_tasks import WHEN_CROWDED, BoundedTasks
from ..due_work import handle_due
from ..journal import Journal
from ..ports.callback_signer import CallbackSigner
from ..ports.clock import Clock
from ..ports.event_store import Checkpoint, Due, DueKind, Overtaken, PersonGone
from ..ports.randomness import Randomness
from ..ports.sealer import SealBrokenError, SealKeyMissingError
from ..ports.store_observer import StoreObserver
from ..ports.web import Web, WebError, WebFailure
from ..records.callback_delivery import CallbackDeliveryRow
from .call_queues import MOST_CALLS_TO_ONE, CallQueue, CallQueues
from .deliveries import ENDPOINT_REMOVED, NOT_2XX, SECRET_UNREADABLE, DeliveryStatus
from .endpoint_secrets import EndpointSecrets
from .order_at_senders import wait_for_earlier_statuses
from .schedule import next_attempt

# A begun attempt waits at most this long in its queue. The rest of the time is for its call and the
# appends around it.
_BEGUN_WITHIN = 25.0
_REPEATED_AFTER = timedelta(seconds=45)
# The bytes of a refusal that are kept: enough for the sentence that says what is wrong (D-512).
MOST_ANSWER = 1_024
# Deliveries to a full queue are put off to different times, because together they would only be put off
# again. A slow endpoint gets fewer.
_APART, _APART_WHERE_SLOW = timedelta(milliseconds=5), WHEN_CROWDED / MOST_CALLS_TO_ONE
_LONGEST_WAIT = timedelta(minutes=5)


class Delivering:
    """Attempts the due deliveries; each call is a background task."""

    kind = DueKind.CALLBACK

    def __init__(
        self,
        journal: Journal,
        web: Web,
        secrets: EndpointSecrets,
        signer: CallbackSigner,
        tasks: BoundedTasks,
        observers: Sequence[StoreObserver],
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._web = web
        self._secrets = secrets
        self._signer = signer
        self._tasks = tasks
        self._observers = observers
        self._randomness = randomness
        self._clock = clock
        self._calls = CallQueues(tasks, _BEGUN_WITHIN)
        self._full_until: dict[str, datetime] = {}
        self._slow: set[str] = set()

    async def run_due(self) -> int:
        """Begin the attempts that are due; return how many were due."""
        self._tasks.raise_failure()
        return await handle_due(self._journal, self._clock, self.kind, self._handle)

    async def _handle(self, due: Due) -> None:
        delivery = await self._journal.row(CallbackDeliveryRow, due.stream)
        if delivery is None or delivery.status != DeliveryStatus.PENDING:
            await self._journal.write(THE_WORKER, self._clock.now(), done=(due,))
            return
        if delivery.body == ERASED:
            await self._end(due, _ended(delivery, self._clock.now(), PERSON_ERASED))
            return
        if delivery.body == MASK:
            # This node lacks the code key; another one delivers.
            raise SealKeyMissingError
        url = delivery.url
        if url is None:
            endpoint = await self._journal.load(callback_endpoint_decider, delivery.endpoint_id)
            if endpoint.state.removed_at is not None:
                await self._end(due, _ended(delivery, self._clock.now(), ENDPOINT_REMOVED))
                return
            url = endpoint.state.url
        queue = _queue_of(delivery)
        if not self._calls.has_place(queue):
            await self._put_off(due, queue)
            return
        self._full_until.pop(queue.quota, None)
        after = await wait_for_earlier_statuses(self._journal, delivery, self._clock.now())
        if after is not None:
            await self._postpone(due, after)
            return
        begun = await self._begin(due)
        if begun is not None:
            self._calls.add(queue, partial(self._attempt, begun, delivery, url, queue.quota))

    async def _begin(self, due: Due) -> Due | None:
        """Count an attempt and return its due row; None if another node was faster."""
        now = self._clock.now()
        begun = Due(self.kind, due.stream, due.number + 1, now + _REPEATED_AFTER)
        count = Checkpoint(due.stream, due.number, begun.number)
        try:
            await self._journal.write(
                THE_WORKER, now, checkpoints=(count,), due=(begun,), done=(due,)
            )
        except Overtaken:
            await self._journal.write(THE_WORKER, now, done=(due,))
            return None
        return begun

    async def _put_off(self, due: Due, queue: CallQueue) -> None:
        now = self._clock.now()
        apart = _APART_WHERE_SLOW if queue.quota in self._slow else _APART
        behind = self._full_until.get(queue.quota, now) + apart
        later = min(max(behind, now + WHEN_CROWDED), now + _LONGEST_WAIT)
        self._full_until[queue.quota] = later
        await self._postpone(due, later)

    async def _postpone(self, due: Due, at: datetime) -> None:
        unmoved = Checkpoint(due.stream, due.number, due.number)
        try:
            await self._journal.write(
                THE_WORKER, self._clock.now(), checkpoints=(unmoved,), due=(evolve(due, at=at),)
            )
        except Overtaken:
            return

    async def _attempt(
        self, begun: Due, delivery: CallbackDeliveryRow, url: str, quota: str
    ) -> None:
        status, answer, error = await self._call(delivery, url)
        if error == WebFailure.TIMEOUT:
            self._slow.add(quota)
        else:
            self._slow.discard(quota)
        now = self._clock.now()
        tried = evolve(
            delivery,
            attempts=delivery.attempts + 1,
            last_status=status,
            last_answer=answer,
            error=error,
        )
        if error is None:
            await self._end(begun, _ended(tried, now, None))
        elif (at := next_attempt(delivery.queued_at, now, self._chance())) is not None:
            await self._wait(begun, evolve(tried, next_attempt_at=at), at)
        else:
            await self._end(begun, _ended(tried, now, error))

    async def _call(
        self, delivery: CallbackDeliveryRow, url: str
    ) -> tuple[int | None, str | None, str | None]:
        """Return the status of the answer, the beginning of a refusal, and the kind of failure."""
        body = delivery.body.encode()
        try:
            headers = await self._headers(delivery, body)
            answer = await self._web.post(url, headers, body, MOST_ANSWER)
        except (SealBrokenError, SealKeyMissingError):
            return None, None, SECRET_UNREADABLE
        except WebError as error:
            return None, None, str(error.failure)
        # All other answers are tried again, including redirects and 410 Gone (C-53, D-70).
        if 200 <= answer.status < 300:
            return answer.status, None, None
        return answer.status, _text(answer.body), NOT_2XX

    async def _headers(self, delivery: CallbackDeliveryRow, body: bytes) -> Mapping[str, str]:
        # A message's sender has no secret for its URL.
        secret = await self._secrets.of(delivery.endpoint_id) if delivery.url is None else None
        # Receivers compare the time with their own, so it comes from the real clock.
        return self._signer.headers(delivery.id, body, self._clock.real(), secret)

    async def _wait(self, begun: Due, tried: CallbackDeliveryRow, at: datetime) -> None:
        later = evolve(begun, at=at)
        stands = Checkpoint(begun.stream, begun.number, begun.number)
        await self._record(tried, stands, due=(later,))

    async def _end(self, due: Due, ended: CallbackDeliveryRow) -> None:
        # An ended delivery keeps only its row, and needs no count.
        await self._record(ended, Checkpoint(due.stream, due.number, 0), done=(due,))

    async def _record(
        self,
        row: CallbackDeliveryRow,
        count: Checkpoint,
        due: tuple[Due, ...] = (),
        done: tuple[Due, ...] = (),
    ) -> None:
        try:
            await self._journal.write(
                THE_WORKER, self._clock.now(), checkpoints=(count,), rows=(row,), due=due, done=done
            )
        except (Overtaken, PersonGone):
            # The attempt took so long that another was begun, whose outcome counts; or the person was
            # erased meanwhile, and the next look ends the delivery.
            return
        for observer in self._observers:
            observer.attempted(row)

    def _chance(self) -> float:
        return int(self._randomness.new_code("0123456789", 3)) / 1000


def _text(body: bytes) -> str | None:
    """Return what a refusal says as a text that every store can hold; None if it says nothing."""
    return UNSTORABLE.sub("\ufffd", body.decode(errors="replace")) or None


def _queue_of(delivery: CallbackDeliveryRow) -> CallQueue:
    """
    Return the queue of an endpoint, or of a host that an account's messages name.

    Clients may name any number of hosts. A slow host delays only its own calls, and all hosts of an
    account share one quota.
    """
    if delivery.url is None:
        return CallQueue(delivery.endpoint_id, delivery.endpoint_id)
    return CallQueue(
        f"{delivery.account_id} {urlsplit(delivery.url).hostname}", delivery.account_id
    )


def _ended(delivery: CallbackDeliveryRow, now: datetime, error: str | None) -> CallbackDeliveryRow:
    status = DeliveryStatus.DELIVERED if error is None else DeliveryStatus.FAILED
    return evolve(delivery, status=str(status), error=error, next_attempt_at=None, ended_at=now)
