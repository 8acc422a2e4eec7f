"""The record of a message."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from attrs import field
from msgspec import Struct

from ...domain.channel import TriedAccount
from ...domain.destination import canonical
from ...domain.event import personal
from ...domain.message import Direction, Happened, Message, ResourceType, message_decider
from ...domain.message.redeciding import redecide
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row, findable
from .record import Record


class TriedLine(Struct, frozen=True, omit_defaults=True):
    """One attempt of a dispatch, at a channel account (C-69)."""

    channel_account_id: str
    status: str
    code: str | None = None


class HistoryLine(Struct, frozen=True, omit_defaults=True):
    """One line of a message's history (C-23); nearly all are stored without what was `tried`."""

    status: str
    at: datetime
    error_code: str | None
    tried: tuple[TriedLine, ...] = ()


@value(kw_only=True)
class MessageRow(Row):
    """
    A message in the history, without its content (C-23).

    `reference` is the first of its custom references, by which searches find it (C-37).
    `person_id` is the person at the other end. `own_canonical` is the canonical number of the account
    that an inbound message was sent to (C-28, C-59). `resource_type` is None for
    inbound messages and for messages submitted by the API, which are the most. `channel_account_id` is
    the account that took the message, or may have; before its outcome, the planned one (D-251).
    """

    id: str
    account_id: str
    person_id: str
    direction: str
    channel: str
    channel_account_id: str
    account_side: str = field(repr=False)
    person_side: str = personal()
    own_canonical: str | None
    cust_refs: Mapping[str, str] = personal()
    reference: str | None = findable()
    campaign: str | None
    run_id: str | None
    sent_by_run: str | None
    resource_type: str | None
    tag1: str | None = findable()
    tag2: str | None = findable()
    tag3: str | None = findable()
    callback_url: str | None = findable()
    created_at: datetime
    status: str
    events: tuple[HistoryLine, ...]
    updated_at: datetime

    @property
    def sender(self) -> str:
        """From whom the message comes."""
        return self.person_side if self.direction == Direction.INBOUND else self.account_side

    @property
    def recipient(self) -> str:
        """To whom the message goes."""
        return self.account_side if self.direction == Direction.INBOUND else self.person_side


def _row(stream: str, message: Message) -> MessageRow:
    inbound = message.direction is Direction.INBOUND
    return MessageRow(
        id=stream,
        account_id=message.account_id,
        person_id=message.person_id,
        direction=str(message.direction),
        channel=str(message.channel),
        channel_account_id=message.taken_by,
        account_side=message.recipient if inbound else message.sender,
        person_side=message.sender if inbound else message.recipient,
        own_canonical=canonical(message.recipient) if inbound else None,
        cust_refs=message.cust_refs,
        reference=next((text for text in message.cust_refs.values() if text), None),
        campaign=message.campaign,
        run_id=message.run_id,
        sent_by_run=message.sent_by_run,
        resource_type=(
            None if message.resource_type is ResourceType.API else str(message.resource_type)
        ),
        tag1=message.tags.get("tag1"),
        tag2=message.tags.get("tag2"),
        tag3=message.tags.get("tag3"),
        callback_url=message.callback_url,
        created_at=message.created_at,
        status=str(message.status),
        events=tuple([_line(each) for each in message.history]),
        updated_at=message.updated_at,
    )


def _line(line: Happened) -> HistoryLine:
    tried = tuple([_tried(each) for each in line.tried]) if line.tried else ()
    return HistoryLine(str(line.status), line.at, line.error_code, tried)


def _tried(attempt: TriedAccount) -> TriedLine:
    return TriedLine(attempt.channel_account_id, str(attempt.status), attempt.code)


def _holds(message: Message) -> frozenset[str]:
    return frozenset(() if message.known_as is None else {message.known_as})


def _by_rare(field: str) -> FoundBy:
    """Find messages by a field that is empty in most of them."""
    return FoundBy(f"messages_by_{field}", ("account_id", field, "created_at", "id"), present=field)


MESSAGE = Record(
    decider=message_decider,
    prefix="msg",
    state=Message,
    redecide=redecide,
    read_model=ReadModel(
        row=MessageRow,
        name="messages",
        # The key at the end sorts rows of the same time, so that no page has to be sorted.
        found_by=(
            # A person belongs to one account, so the account need not lead.
            FoundBy(
                "inbound_messages_by_person",
                ("person_id", "channel", "created_at", "id"),
                present="own_canonical",
            ),
            FoundBy("messages_by_person", ("person_id", "created_at", "id", "channel")),
            FoundBy(
                "inbound_messages_by_own",
                ("account_id", "own_canonical", "created_at", "id", "channel"),
                present="own_canonical",
            ),
            _by_rare("reference"),
            _by_rare("tag1"),
            _by_rare("tag2"),
            _by_rare("tag3"),
            FoundBy("messages_by_status", ("account_id", "status", "created_at", "id", "channel")),
            FoundBy(
                "messages_by_channel",
                ("account_id", "channel", "created_at", "id", "channel_account_id"),
            ),
            _by_rare("resource_type"),
            FoundBy("messages_by_time", ("account_id", "created_at", "id")),
            FoundBy("messages_called_back", ("created_at", "id"), present="callback_url"),
            FoundBy("all_messages_by_time", ("created_at", "id")),
        ),
        changing=("channel_account_id", "status", "events", "updated_at"),
    ),
    project=_row,
    holds=_holds,
)
