"""Compare deliveries of callbacks with their due rows and counts, which no event records (D-67, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from ...domain.callback_endpoint import CallbackType, wants
from ...domain.event import ERASED
from ..callbacks.deliveries import DeliveryStatus
from ..callbacks.making_deliveries import FOLLOWER
from ..callbacks.schedule import GIVES_UP_AFTER
from ..callbacks.telling_heads import head_id
from ..ports.event_store import DueKind
from ..ports.snapshot import KeptDue, KeptPosition, KeptRow, Snapshot
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.callback_endpoint import CallbackEndpointRow
from .differences import Difference, Kind, row_differences
from .lookahead import Lookahead
from .named_people import NamedPeople
from .sorting import Entry, Sorting

# The digits of the greatest position.
_DIGITS = 20
_OF_AN_EVENT = ("message", "event version", "created at")


async def delivery_differences(
    snapshot: Snapshot, ids: Sorting, last: int, latest: datetime, people: NamedPeople
) -> AsyncIterator[Difference]:
    """
    Compare every delivery with its due row.

    `ids` are the ids of all events, with their positions; `last` is the newest position. No attempt may
    be due after `latest`, or after the end of a delivery's attempts. `people` are told of bodies that an
    erasure left.
    """
    endpoints = {each.key: each.row async for each in snapshot.rows(CallbackEndpointRow)}
    followed = [each.position async for each in snapshot.positions() if each.name == FOLLOWER]
    end = latest + GIVES_UP_AFTER
    due = Lookahead(_of_callbacks(snapshot.due()), _stream)
    counts = Lookahead(snapshot.positions(), _name)
    by_event, by_head = Sorting(), Sorting()
    try:
        async for kept in snapshot.rows(CallbackDeliveryRow):
            async for stray in due.before(kept.key):
                yield _difference(stray.stream, "due row", "none", "a due row")
            async for count in counts.before(kept.key):
                for each in _count_differences(count, last):
                    yield each
            own, begun = await due.under(kept.key), await counts.under(kept.key)
            for each in _compared(kept, own, begun, end):
                yield each
            if kept.row is not None and kept.row.body == ERASED and kept.row.person_id is not None:
                people.blank(kept.row.person_id, f"row {kept.key}")
            if kept.left is not None:
                people.leave(kept.left, f"row {kept.key}")
            if kept.row is not None and kept.row.type == CallbackType.LOG_HEAD:
                by_head.add(*_head_entry(kept.row))
            elif kept.row is not None:
                by_event.add(*_entry(kept.row))
                for each in _endpoint_differences(kept.row, endpoints):
                    yield each
        async for stray in due.before(None):
            yield _difference(stray.stream, "due row", "none", "a due row")
        async for count in counts.before(None):
            for each in _count_differences(count, last):
                yield each
        for each in _event_differences(by_event, ids, max(followed, default=0)):
            yield each
        async for each in _head_differences(by_head, snapshot):
            yield each
    finally:
        by_event.close()
        by_head.close()


def _compared(
    kept: KeptRow[Any], due: Sequence[KeptDue], counts: Sequence[KeptPosition], end: datetime
) -> Iterator[Difference]:
    if kept.row is None:
        yield from row_differences(CallbackDeliveryRow, kept.key, None, [kept])
        return
    pending = kept.row.status == DeliveryStatus.PENDING
    if not pending:
        if kept.row.status == DeliveryStatus.DELIVERED and not kept.row.attempts:
            yield _difference(kept.key, "attempts", "one at least", "none")
        if due:
            yield _difference(kept.key, "due row", "none", "a due row")
        return
    if not due:
        yield _difference(kept.key, "due row", "a due row", "none")
        return
    begun = counts[0].position if counts else 0
    if [each.number for each in due] != [begun]:
        yield _difference(
            kept.key, "attempt", str(begun), ", ".join(str(each.number) for each in due)
        )
    for each in due:
        if each.at is None or each.at > end:
            found = "none" if each.at is None else each.at.isoformat()
            yield _difference(kept.key, "due row", f"a time before {end.isoformat()}", found)


def _count_differences(count: KeptPosition, last: int) -> Iterator[Difference]:
    if count.name == FOLLOWER and count.position > last:
        yield _difference(FOLLOWER, "followed", f"at most {last}", str(count.position))


def _entry(row: CallbackDeliveryRow) -> Entry:
    """Return the event of a delivery, with its stream if a message named the URL."""
    stream = "" if row.url is None else row.endpoint_id
    at = row.created_at.isoformat()
    return row.event_id, row.id, stream, str(row.event_version), at


def _endpoint_differences(
    row: CallbackDeliveryRow, endpoints: Mapping[str, CallbackEndpointRow | None]
) -> Iterator[Difference]:
    if row.url is not None:
        return
    if row.endpoint_id not in endpoints:
        yield _difference(row.id, "endpoint", "an endpoint", row.endpoint_id)
        return
    endpoint = endpoints[row.endpoint_id]
    if endpoint is None:
        # The audit reports the endpoint's own row.
        return
    if endpoint.account_id != row.account_id:
        yield _difference(row.id, "account id", endpoint.account_id, row.account_id)
    if row.type != CallbackType.CALLBACK_TEST and not wants(endpoint.events, row.type):
        yield _difference(row.id, "type", "one that its endpoint wants", row.type)


def _event_differences(by_event: Sorting, ids: Sorting, followed: int) -> Iterator[Difference]:
    """Yield the deliveries whose events differ, are missing, or would be sent again."""
    known = ids.sorted()
    event: Entry = ("",)
    furthest = 0
    for event_id, delivery, *says in by_event.sorted():
        while event and event[0] < event_id:
            event = next(known, ())
        if not event or event[0] != event_id:
            yield _difference(delivery, "event", event_id, "none")
            continue
        _, position, *stands = event
        furthest = max(furthest, int(position))
        for field, wanted, has in zip(_OF_AN_EVENT, stands, says, strict=True):
            if wanted and has and wanted != has:
                yield _difference(delivery, field, wanted, has)
    if followed < furthest:
        # A delivery is written in one append with the follower's step past its event.
        yield _difference(FOLLOWER, "followed", f"at least {furthest}", str(followed))


def _head_entry(row: CallbackDeliveryRow) -> Entry:
    """Return the head of a delivery, in an order in which heads are read."""
    size = row.event_id.removeprefix("head_")
    return size.zfill(_DIGITS), row.id, row.event_id, row.created_at.isoformat()


async def _head_differences(by_head: Sorting, snapshot: Snapshot) -> AsyncIterator[Difference]:
    """Yield the deliveries of heads that are not there, or were signed at another time."""
    heads = snapshot.heads()
    head = await anext(heads, None)
    for size, delivery, named, at in by_head.sorted():
        while head is not None and str(head.size).zfill(_DIGITS) < size:
            head = await anext(heads, None)
        if head is None or head_id(head.size) != named:
            yield _difference(delivery, "head", named, "none")
        elif head.at.isoformat() != at:
            yield _difference(delivery, "created at", head.at.isoformat(), at)


def _difference(delivery: str, field: str, expected: str, found: str) -> Difference:
    return Difference(
        kind=Kind.DELIVERY,
        what="Delivery",
        id=delivery,
        field=field,
        expected=expected,
        found=found,
    )


async def _of_callbacks(due: AsyncIterator[KeptDue]) -> AsyncIterator[KeptDue]:
    async for each in due:
        if each.kind == DueKind.CALLBACK:
            yield each


def _stream(due: KeptDue) -> str:
    return due.stream


def _name(position: KeptPosition) -> str:
    return position.name
