"""Messages from people (C-26): the sender, the number that was written to, and the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Raw, Struct, field

from .....application.ports.channels import InboundMessage
from .....domain.limits import UNSTORABLE
from ...ids import id_in
from .parts import IGNORED, Ignored, Messages, read
from .texts import text_in

# Nobody writes these: WhatsApp says that a number changed or a chat was opened.
_NOTICES = frozenset({"system", "request_welcome"})
# The text that was edited or deleted is read already, and history is not changed.
_AFTERTHOUGHTS = frozenset({"edit", "revoke"})
_MOST_TEXT = 65_536
_MOST_DIGITS = 20


class _Contact(Struct, frozen=True):
    user_id: str | None = None


class _Message(Struct, frozen=True):
    id: str
    type: str = ""
    sender: str | None = field(name="from", default=None)
    from_user_id: str | None = None
    group_id: str | None = None


def message_in(
    raw: Raw, value: Messages, addressed_to: Mapping[str, str]
) -> InboundMessage | Ignored | None:
    """
    Return a person's message; None if it cannot be read.

    A message in a group opens no session with the person who wrote it, so it is ignored.
    """
    said = read(raw, _Message)
    if said is None:
        return None
    if said.group_id or said.type in _NOTICES or said.type in _AFTERTHOUGHTS:
        return IGNORED
    message_id, sender = id_in(said.id), _sender(said, value)
    if message_id is None or sender is None:
        return None
    text = text_in(raw, said.type)
    if not text:
        return None if text is None else IGNORED
    return InboundMessage(
        provider_message_id=message_id,
        sender=sender,
        recipient=_recipient(value),
        text=UNSTORABLE.sub("\ufffd", text[:_MOST_TEXT]),
        addressed_to=addressed_to,
    )


def _sender(said: _Message, value: Messages) -> str | None:
    """
    Return the number of a person, or the business-scoped id of one who shows no number.

    The id stands in the message, in older posts only in the one contact of the post.
    """
    found = id_in(said.sender) or id_in(said.from_user_id)
    if found is not None or not bytes(value.contacts):
        return found
    contacts: Any = read(value.contacts, list[_Contact])
    return id_in(contacts[0].user_id) if contacts and len(contacts) == 1 else None


def _recipient(value: Messages) -> str:
    """Return the digits of the business's number, as people dial it; its id if it shows none."""
    shown = value.metadata.display_phone_number
    digits = "".join(each for each in shown if each.isascii() and each.isdecimal())
    return digits[:_MOST_DIGITS] or value.metadata.phone_number_id
