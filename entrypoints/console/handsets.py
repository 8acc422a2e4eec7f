"""The phones of a sandbox's recipients: what each got, and what was written on it (D-493)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from operator import attrgetter

from attrs import field, frozen

from ...adapters.channels.sandbox import SandboxProvider
from ...adapters.channels.sandbox_outbox import (
    FilledRcsTemplate,
    Outbox,
    SandboxMessage,
    SmsPayload,
    WrittenMessage,
)
from ...application.ports.channels import ProviderTemplate
from ...domain.channel import Channel
from ...domain.destination import canonical
from ...domain.message import Content
from ...domain.rcs_template import TemplateDefinition as RcsDefinition
from ...domain.template_filling import MessageTemplate
from ..message_templates import rcs_writing
from .previews.email import email_preview
from .previews.messages import inbound_preview, message_preview
from .previews.rcs import rcs_preview
from .previews.shown import Bubble, Button, Preview, Text, plain
from .previews.sms import sms_preview
from .previews.whatsapp_styles import styled

_ADDRESS = re.compile(r"https?://[^\s<>\"'`]+")
# What ends a sentence after an address is not part of it.
_BEHIND = ".,;:!?)]}"
_TOLD = 80

Templates = Mapping[str, MessageTemplate | None]


@frozen(kw_only=True)
class Handset:
    """
    A phone, or the mailbox of an e-mail address, with what went out to it and came from it, the newest last.

    Its `id` names it in addresses, which tell no number.
    """

    id: str
    destination: str = field(repr=False)
    entries: Sequence[SandboxMessage | WrittenMessage]

    @property
    def channels(self) -> Sequence[str]:
        """The channels that it was used on."""
        return sorted({str(each.channel) for each in self.entries})

    @property
    def last_at(self) -> datetime:
        """The time of the newest entry."""
        return self.entries[-1].at

    @property
    def last_text(self) -> str:
        """The beginning of the newest entry."""
        text = " ".join(self.entries[-1].text.split())
        return text if len(text) <= _TOLD else f"{text[:_TOLD]}…"


@frozen(kw_only=True)
class Wrote:
    """A message that was written on a phone."""

    message: WrittenMessage
    preview: Preview


@frozen(kw_only=True)
class Received:
    """A message on a phone, with the answers that its buttons give and the addresses that it leads to."""

    message: SandboxMessage
    preview: Preview
    status: str
    replies: Sequence[str] = ()
    addresses: Sequence[str] = ()


def handset_id(destination: str) -> str:
    """Return the id of the phone with a number, in whatever spelling."""
    plain_form = canonical(destination).encode(errors="surrogatepass")
    return hashlib.blake2b(plain_form, digest_size=10).hexdigest()


def handsets(outbox: Outbox) -> Sequence[Handset]:
    """Return the phones that were used, the one with the newest entry first."""
    entries: dict[str, list[SandboxMessage | WrittenMessage]] = {}
    spelled: dict[str, str] = {}
    for sent in outbox.shown():
        one = canonical(sent.destination)
        entries.setdefault(one, []).append(sent)
        spelled[one] = sent.destination
    for written in outbox.written():
        one = canonical(written.sender)
        entries.setdefault(one, []).append(written)
        spelled.setdefault(one, written.sender)
    found = [
        Handset(
            id=handset_id(one), destination=spelled[one], entries=sorted(each, key=attrgetter("at"))
        )
        for one, each in entries.items()
    ]
    return sorted(found, key=attrgetter("last_at"), reverse=True)


def received(message: SandboxMessage, provider: SandboxProvider, templates: Templates) -> Received:
    """Return a message as its phone shows it; `templates` are those that messages name, by message."""
    preview = sent_preview(message, templates.get(message.provider_message_id))
    status = provider.reported(message.provider_message_id)
    buttons = tuple(_buttons(preview))
    return Received(
        message=message,
        preview=preview,
        status="accepted" if status is None else str(status),
        replies=tuple(dict.fromkeys(chain.from_iterable(each.answers for each in buttons))),
        addresses=tuple(dict.fromkeys(_addresses(preview, buttons))),
    )


def wrote(message: WrittenMessage) -> Wrote:
    """Return a message that was written on a phone, as the phone shows it."""
    return Wrote(message=message, preview=inbound_preview(message.channel, message.text))


def sent_preview(message: SandboxMessage, template: MessageTemplate | None) -> Preview:
    """Return the preview of a message of the outbox."""
    sender = message.sender or ""
    match message.payload:
        case FilledRcsTemplate(template_code=code, content=content):
            written = rcs_writing.template_data(RcsDefinition(name=code, content=content))
            return rcs_preview(written, sender=sender)
        case SmsPayload(unicode=unicode):
            return sms_preview(message.text, unicode=unicode, sender=sender)
        case ProviderTemplate(code=code, copy_code_button_index=button):
            copies = () if button is None else (Button("Copy code", f"Copies {code}"),)
            return _texted(message, copies)
        case None if message.channel == Channel.EMAIL:
            return email_preview(message.subject or "", message.text, sender=sender)
        case None:
            return _texted(message)
        case content:
            return _of_content(message, content, template)


def _of_content(
    message: SandboxMessage, content: Content, template: MessageTemplate | None
) -> Preview:
    preview = message_preview(message.channel, content, template, sender=message.sender or "")
    return preview if preview.bubbles or preview.cards else _texted(message)


def _texted(message: SandboxMessage, buttons: tuple[Button, ...] = ()) -> Preview:
    """Return the preview of a message of which the outbox has the text alone."""
    text = plain(message.text)
    shown = styled(text) if message.channel == Channel.WHATSAPP else text
    return Preview(
        channel=str(message.channel),
        sender=message.sender or "",
        bubbles=(Bubble(text=shown, buttons=buttons),),
    )


def _buttons(preview: Preview) -> Iterator[Button]:
    for each in (*preview.bubbles, *preview.cards):
        yield from each.buttons
    yield from preview.suggestions


def _addresses(preview: Preview, buttons: Sequence[Button]) -> Iterator[str]:
    for each in (*preview.bubbles, *preview.cards):
        for text in (each.title, each.text):
            yield from _addresses_in(_joined(text))
        yield from _addresses_in(each.footer)
    for button in buttons:
        yield from _addresses_in(button.opens)


def _addresses_in(text: str) -> Iterator[str]:
    for found in _ADDRESS.findall(text):
        yield found.rstrip(_BEHIND)


def _joined(text: Text) -> str:
    return "".join(each.text for each in text)
