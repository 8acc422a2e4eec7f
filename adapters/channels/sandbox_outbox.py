"""The sandbox's outbox in memory, in place of the recipients' phones (C-39)."""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import asdict, field, frozen

from ...application.ports.channels import Message, ProviderTemplate
from ...application.records import is_id_of
from ...domain.channel import Channel, ChannelName
from ...domain.message import Content, RcsTemplateContent, message_decider
from ...domain.rcs_template import TemplateContent as RcsContent
from ...domain.receipt import ReceiptStatus

CAPACITY = 10_000
_ID = re.compile(r"[0-9]{1,18}")


@frozen(kw_only=True)
class FilledRcsTemplate:
    """An RCS template as the request named it, and `content`, which the recipient sees."""

    kind: str
    message_type: str
    template_code: str
    params: Mapping[str, str] = field(repr=False)
    content: RcsContent = field(repr=False)


@frozen(kw_only=True)
class SmsPayload:
    """The settings that go out with the text of an SMS: its DLT ids, and whether it is Unicode (C-71)."""

    template_id: str | None
    entity_id: str | None
    unicode: bool


Payload = ProviderTemplate | FilledRcsTemplate | SmsPayload | Content


@frozen(kw_only=True)
class SandboxMessage:
    """
    A message in the outbox, with the code in its text (C-39).

    `message_id` is None for a PIN's code. `payload` is None for a plain text that is no SMS.
    """

    id: str
    at: datetime
    channel: ChannelName
    channel_account_id: str
    destination: str
    sender: str | None
    text: str = field(repr=False)
    subject: str | None = field(repr=False)
    payload: Payload | None = field(repr=False)
    provider_message_id: str
    message_id: str | None


@frozen(kw_only=True)
class WrittenMessage:
    """A message that a recipient wrote."""

    at: datetime
    channel: ChannelName
    sender: str = field(repr=False)
    text: str = field(repr=False)
    message_id: str


class Outbox:
    """
    The newest 10,000 messages of this process, and what recipients wrote.

    Of the last 10,000 ids it knows the newest receipt.
    """

    def __init__(self) -> None:
        # Number, time, provider's id and message; `shown` builds the visible form on demand.
        self._messages: deque[tuple[int, datetime, str, Message]] = deque(maxlen=CAPACITY)
        self._written: deque[WrittenMessage] = deque(maxlen=CAPACITY)
        self._reported: OrderedDict[str, ReceiptStatus | None] = OrderedDict()
        self._taken = 0

    def snapshot(self) -> Outbox:
        """Return a copy, which another thread may read while this one goes on."""
        copy = Outbox()
        copy._messages = self._messages.copy()
        copy._written = self._written.copy()
        copy._reported = self._reported.copy()
        copy._taken = self._taken
        return copy

    def take(self, provider_message_id: str, message: Message, at: datetime) -> bool:
        """Add a message; return False if it was added before."""
        if provider_message_id in self._reported:
            return False
        self._taken += 1
        self._messages.append((self._taken, at, provider_message_id, message))
        self._remember(provider_message_id, None)
        return True

    def report(self, provider_message_id: str, status: ReceiptStatus) -> None:
        """Record a receipt of a message, which may be from before a restart."""
        before = self._reported.get(provider_message_id)
        # A message that arrived stays there, whatever is reported late.
        if before is None or not before.arrived or status.arrived:
            self._remember(provider_message_id, status)

    def reported(self, provider_message_id: str) -> ReceiptStatus | None:
        """Return the newest receipt of a message, if it had one."""
        return self._reported.get(provider_message_id)

    def has_arrived(self, provider_message_id: str) -> bool:
        """Return whether the recipient is known to have a message."""
        status = self.reported(provider_message_id)
        return status is not None and status.arrived

    def write(self, message: WrittenMessage) -> None:
        """Add a message that a recipient wrote."""
        self._written.append(message)

    def written(self) -> Sequence[WrittenMessage]:
        """Return what recipients wrote, the newest last."""
        return tuple(self._written)

    def find(self, provider_message_id: str) -> SandboxMessage | None:
        """Return the sent message with a provider's id."""
        for number, at, theirs, message in self._messages:
            if theirs == provider_message_id:
                return _shown(number, at, theirs, message)
        return None

    def shown(
        self, destination: str | None = None, channel: str | None = None, after: str | None = None
    ) -> Sequence[SandboxMessage]:
        """Return the sent messages, the newest last; `after` is the id of the last one seen."""
        seen = int(after) if after and _ID.fullmatch(after) else 0
        return [
            _shown(number, at, provider_message_id, message)
            for number, at, provider_message_id, message in self._messages
            if number > seen
            and destination in (None, message.destination)
            and channel in (None, message.channel)
        ]

    def clear(self) -> None:
        """Remove all messages from the list; their ids still count as used."""
        self._messages.clear()
        self._written.clear()

    def _remember(self, provider_message_id: str, status: ReceiptStatus | None) -> None:
        self._reported[provider_message_id] = status
        if len(self._reported) > CAPACITY:
            self._reported.popitem(last=False)


def _shown(number: int, at: datetime, provider_message_id: str, message: Message) -> SandboxMessage:
    return SandboxMessage(
        id=str(number),
        at=at,
        channel=message.channel,
        channel_account_id=message.channel_account_id,
        destination=message.destination,
        sender=message.sender,
        text=message.text,
        subject=message.subject,
        payload=_payload(message),
        provider_message_id=provider_message_id,
        message_id=(message.reference if is_id_of(message_decider, message.reference) else None),
    )


def _payload(message: Message) -> Payload | None:
    if message.template is not None:
        return message.template
    if message.rcs is not None and isinstance(message.content, RcsTemplateContent):
        asked = asdict(message.content, recurse=False)
        return FilledRcsTemplate(**asked, content=message.rcs)
    if message.channel != Channel.SMS:
        return message.content
    return SmsPayload(
        template_id=message.template_id,
        entity_id=message.entity_id,
        unicode=bool(message.unicode),
    )
