"""The text of a message as a person would read it; what is no text stands in square brackets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Raw, Struct

from .parts import read

_KIND = re.compile("[a-z][a-z_]{0,39}")
_UNSUPPORTED = "[unsupported]"
_MOST_CONTACTS = 20


def text_in(raw: Raw, kind: str) -> str | None:
    """
    Return the text of a message of a type; it is empty for a reaction that was taken back.

    The name of a type that nobody knows yet is its text, because the person has written something. None
    if the message cannot be read.
    """
    known = _KINDS.get(kind)
    if known is None:
        return _bracketed(kind)
    shape, words = known
    members = read(raw, dict[str, Raw])
    content = None if members is None else members.get(kind)
    said = None if content is None else read(content, shape)
    return None if said is None else words(said, kind)


class _Text(Struct, frozen=True):
    body: str


class _Button(Struct, frozen=True):
    text: str


class _Reply(Struct, frozen=True):
    title: str


class _Form(Struct, frozen=True):
    """A form that a person filled in; the answers are in the JSON, and nowhere else."""

    body: str = ""
    response_json: str = ""


class _Interactive(Struct, frozen=True):
    type: str
    button_reply: _Reply | None = None
    list_reply: _Reply | None = None
    nfm_reply: _Form | None = None


class _Reaction(Struct, frozen=True):
    emoji: str = ""


class _Location(Struct, frozen=True):
    latitude: float
    longitude: float
    name: str | None = None
    address: str | None = None


class _Media(Struct, frozen=True):
    caption: str | None = None
    filename: str | None = None


class _FullName(Struct, frozen=True):
    formatted_name: str = ""


class _Phone(Struct, frozen=True):
    phone: str | None = None


class _Contact(Struct, frozen=True):
    name: _FullName | None = None
    phones: list[_Phone] = []


class _Order(Struct, frozen=True):
    product_items: list[Raw] = []
    text: str = ""


def _interactive(said: _Interactive, kind: str) -> str:
    reply = said.button_reply or said.list_reply
    if reply is not None:
        return reply.title
    if said.nfm_reply is not None:
        answers = (said.nfm_reply.body, said.nfm_reply.response_json)
        return "\n".join(each for each in answers if each) or f"[{kind}]"
    return _bracketed(said.type)


def _location(said: _Location, kind: str) -> str:
    place = ", ".join(each for each in (said.name, said.address) if each)
    return f"[{kind} {said.latitude:.6f}, {said.longitude:.6f}] {place}".rstrip()


def _media(said: _Media, kind: str) -> str:
    return said.caption or (f"[{kind} {said.filename}]" if said.filename else f"[{kind}]")


def _contacts(said: list[_Contact], kind: str) -> str:
    return f"[{kind}] " + ", ".join(_card(each) for each in said[:_MOST_CONTACTS])


def _card(contact: _Contact) -> str:
    called = "" if contact.name is None else contact.name.formatted_name
    return " ".join(each for each in (called, *(phone.phone for phone in contact.phones)) if each)


def _order(said: _Order, kind: str) -> str:
    number = len(said.product_items)
    return f"[{kind} of {number} item{'' if number == 1 else 's'}] {said.text}".rstrip()


def _bracketed(kind: str) -> str:
    return f"[{kind}]" if _KIND.fullmatch(kind) else _UNSUPPORTED


# The shape of the content of each type, and its words.
_KINDS: Mapping[str, tuple[Any, Callable[[Any, str], str]]] = {
    "text": (_Text, lambda said, _: said.body),
    "button": (_Button, lambda said, _: said.text),
    "interactive": (_Interactive, _interactive),
    "reaction": (_Reaction, lambda said, _: said.emoji),
    "location": (_Location, _location),
    **dict.fromkeys(("image", "video", "audio", "sticker", "document"), (_Media, _media)),
    "contacts": (list[_Contact], _contacts),
    "order": (_Order, _order),
}
