"""Where messages stand: the status of some, the history of a number or an account (C-23, C-59)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import field, frozen

from ....domain.channel import ChannelName, OutcomeStatus
from ....domain.destination import canonical
from ....domain.message import MessageStatus
from ...journal import Journal
from ...paging import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from ...ports.listings import AtLeast, Below, Either, Equals, Filter, Query
from ...records.fallback_run import FallbackRunRow, StepLine
from ...records.message import MessageRow
from ...searches import narrows

# The lines of a history that can say why a message ended so.
_REASONS: Mapping[str, tuple[str, ...]] = {
    MessageStatus.FAILED: (MessageStatus.FAILED,),
    MessageStatus.REJECTED: (OutcomeStatus.REJECTED, OutcomeStatus.UNKNOWN),
}


@frozen
class HistoryEntry:
    """A status that a message reached, or repeated (C-23)."""

    status: str
    at: datetime
    error_code: str | None


@frozen
class StepProgress:
    """What became of one step of a fallback run (C-51)."""

    channel: str
    message_id: str | None
    status: str
    error_code: str | None


@frozen(kw_only=True)
class FallbackProgress:
    """A message's fallback run; a step that was sent stands where its own message stands (C-51)."""

    run_id: str
    status: str
    steps: tuple[StepProgress, ...]


@frozen(kw_only=True)
class FollowedMessage:
    """
    A message with its history, without its content (C-23).

    `fallback` where it has a run of its own; a step of another's run has none (D-41).
    """

    message_id: str
    channel: ChannelName
    sender: str = field(repr=False)
    recipient: str = field(repr=False)
    status: str
    direction: str
    created_at: datetime
    updated_at: datetime
    cust_refs: Mapping[str, str] = field(repr=False)
    events: tuple[HistoryEntry, ...]
    fallback: FallbackProgress | None = None


@frozen(kw_only=True)
class UnknownMessage:
    """An id that names no message of the account (C-7, C-23)."""

    message_id: str
    status: str = "unknown"


@frozen(kw_only=True)
class HistorySearch:
    """What a history is narrowed to; a person's number finds messages in either direction."""

    recipient: str | None = narrows(
        "A number in any spelling: a person's, or the account's own that was written to.",
        personal=True,
    )
    channel: ChannelName | None = narrows("The channel of the messages.")
    since: datetime | None = narrows("Created then or later.")
    until: datetime | None = narrows("Created before then.")


class ReadingHistories:
    """Reads the status and the history of an account's messages."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def status(
        self, account_id: str, message_ids: Sequence[str]
    ) -> Sequence[FollowedMessage | UnknownMessage]:
        """Return one entry for each id, in the order asked."""
        rows = await self._journal.rows(MessageRow, set(message_ids))
        own = [row for row in rows.values() if row.account_id == account_id]
        followed = {each.message_id: each for each in await self._followed(own)}
        return [followed.get(each, UnknownMessage(message_id=each)) for each in message_ids]

    async def history(
        self,
        account_id: str,
        search: HistorySearch,
        page_no: int = 0,
        limit: int = DEFAULT_PAGE_SIZE,
    ) -> Sequence[FollowedMessage]:
        """Return one page, counted from 0, of 100 at most: the newest first, ties broken by id."""
        query = Query(
            rows=MessageRow,
            where=tuple(_filters(account_id, search)),
            page=page_no + 1,
            page_size=min(limit, MAX_PAGE_SIZE),
        )
        return await self._followed(await self._journal.slice(query))

    async def _followed(self, rows: Sequence[MessageRow]) -> list[FollowedMessage]:
        """Add the runs of messages, and to their steps what became of those since."""
        run_ids = [row.run_id for row in rows if row.run_id is not None]
        runs = await self._journal.rows(FallbackRunRow, run_ids)
        steps = [step for run in runs.values() for step in run.steps]
        sent = await self._journal.rows(
            MessageRow, [step.message_id for step in steps if step.message_id is not None]
        )
        return [_entry(row, runs, sent) for row in rows]


def _filters(account_id: str, search: HistorySearch) -> list[Filter]:
    filters: list[Filter] = [Equals("account_id", account_id)]
    if search.recipient is not None:
        number = canonical(search.recipient)
        ways = (Equals("person_canonical", number),), (Equals("own_canonical", number),)
        filters.append(Either(ways))
    if search.channel is not None:
        filters.append(Equals("channel", search.channel))
    if search.since is not None:
        filters.append(AtLeast("created_at", search.since))
    if search.until is not None:
        filters.append(Below("created_at", search.until))
    return filters


def _entry(
    row: MessageRow, runs: Mapping[str, FallbackRunRow], sent: Mapping[str, MessageRow]
) -> FollowedMessage:
    run = None if row.run_id is None else runs.get(row.run_id)
    return FollowedMessage(
        message_id=row.id,
        channel=row.channel,
        sender=row.sender,
        recipient=row.recipient,
        status=row.status,
        direction=row.direction,
        created_at=row.created_at,
        updated_at=row.updated_at,
        cust_refs=row.cust_refs,
        events=history_of(row),
        fallback=None if run is None else _progress(run, sent),
    )


def _progress(run: FallbackRunRow, sent: Mapping[str, MessageRow]) -> FallbackProgress:
    steps = tuple(_step(step, sent.get(step.message_id or "")) for step in run.steps)
    return FallbackProgress(run_id=run.id, status=run.status, steps=steps)


def _step(step: StepLine, message: MessageRow | None) -> StepProgress:
    if message is None:
        return StepProgress(step.channel, step.message_id, step.status, step.error_code)
    return StepProgress(step.channel, message.id, message.status, error_code_of(message))


def history_of(message: MessageRow) -> tuple[HistoryEntry, ...]:
    """Return the history of a message as callers see it."""
    return tuple(HistoryEntry(each.status, each.at, each.error_code) for each in message.events)


def error_code_of(message: MessageRow) -> str | None:
    """Return why a message was rejected or failed, if it was."""
    reasons = _REASONS.get(message.status, ())
    codes = [line.error_code for line in message.events if line.status in reasons]
    return codes[-1] if codes else None
