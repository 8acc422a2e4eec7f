"""Messages from people (C-26): the sender, the number that was written to, and the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Raw, Struct, field

from .....application.ports.channels import InboundMessage
from .....domain.limits import UNSTORABLE
from ...ids import id_in
from .parts import IGNORED, Ignored, Messages, read_part
from .texts import text_in

# Nobody writes these: WhatsApp says that a number changed or a chat was opened.
_NOTICES = frozenset({"system", "request_welcome"})
# The text that was edited or deleted is read already, and history is not changed.
_AFTERTHOUGHTS = frozenset({"edit", "revoke"})
_MOST_TEXT = 65_536
_MOST_DIGITS = 20
# A text of so many characters, each of them escaped in JSON.
_LONGEST_MESSAGE = 6 * _MOST_TEXT + 65_536
# One person takes a few hundred octets.
_LONGEST_CONTACT = 8_192


class _Contact(Struct, frozen=True):
    user_id: str | None = None


class _Message(Struct, frozen=True):
    id: str
    type: str = ""
    sender: str | None = field(name="from", default=None)
    from_user_id: str | None = None
    group_id: str | None = None


def contact_in(value: Messages) -> str | None:
    """Return the business-scoped id of the one person whom a change is about; None for several."""
    contacts: Any = read_part(value.contacts, list[_Contact], _LONGEST_CONTACT)
    return id_in(contacts[0].user_id) if contacts and len(contacts) == 1 else None


def message_in(
    raw: Raw, value: Messages, contact: str | None, addressed_to: Mapping[str, str]
) -> InboundMessage | Ignored | None:
    """
    Return a person's message; None if it cannot be read.

    `contact` is the id of a sender who shows no number, if the message itself does not name it.
    A message in a group opens no session with the person who wrote it, so it is ignored.
    """
    said = read_part(raw, _Message, _LONGEST_MESSAGE)
    if said is None or (said.type != "text" and read_part(raw, _Message) is None):
        # The other kinds are lists of small members, of which a few kilobytes take as long as a text.
        return None
    if said.group_id or said.type in _NOTICES or said.type in _AFTERTHOUGHTS:
        return IGNORED
    message_id = id_in(said.id)
    # Business-scoped ids stand in the message, in older posts only in the one contact of the change.
    sender = id_in(said.sender) or id_in(said.from_user_id) or contact
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


def _recipient(value: Messages) -> str:
    """Return the digits of the business's number, as people dial it; its id if it shows none."""
    shown = value.metadata.display_phone_number
    digits = "".join(each for each in shown if each.isascii() and each.isdecimal())
    return digits[:_MOST_DIGITS] or value.metadata.phone_number_id
