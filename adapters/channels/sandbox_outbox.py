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


class Outbox:
    """The newest 10,000 messages of this process, and whether each of the last 10,000 ids arrived."""

    def __init__(self) -> None:
        # Number, time, provider's id and message; `shown` builds the visible form on demand.
        self._messages: deque[tuple[int, datetime, str, Message]] = deque(maxlen=CAPACITY)
        self._arrived: OrderedDict[str, bool] = OrderedDict()
        self._taken = 0

    def take(self, provider_message_id: str, message: Message, at: datetime) -> bool:
        """Add a message; return False if it was added before."""
        if provider_message_id in self._arrived:
            return False
        self._taken += 1
        self._messages.append((self._taken, at, provider_message_id, message))
        self._remember(provider_message_id, arrived=False)
        return True

    def arrives(self, provider_message_id: str) -> None:
        """Record that the recipient has a message; it may be from before a restart."""
        self._remember(provider_message_id, arrived=True)

    def has_arrived(self, provider_message_id: str) -> bool:
        """Return whether the recipient is known to have a message."""
        return self._arrived.get(provider_message_id, False)

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

    def _remember(self, provider_message_id: str, *, arrived: bool) -> None:
        self._arrived[provider_message_id] = arrived
        if len(self._arrived) > CAPACITY:
            self._arrived.popitem(last=False)


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
