"""Mailboxes in headers: one address, and the name that people see before it (RFC 5322, 3.4)."""

from __future__ import annotations

import re

from attrs import frozen

from ....domain.limits import has_controls

MAX_ADDRESS = 254
MAX_NAME = 200
NO_MAILBOX = (
    "must be one address of plain letters, such as codes@example.com or Orchid <codes@example.com>"
)

# As destinations are checked (D-126, D-166), but a host's name without a dot is an operator's choice.
_WORD = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"(?!.*=\?){_WORD}(?:\.{_WORD})*@{_LABEL}(?:\.{_LABEL})*")
# Outside quotes these characters begin a list, a group, a comment or another address.
_SPECIAL = re.compile(r'[()<>\[\]:;@\\,"]')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


@frozen(kw_only=True)
class Mailbox:
    """An address, and the name before it."""

    address: str
    name: str | None = None

    @property
    def domain(self) -> str:
        """Return the part of the address behind the `@`."""
        return self.address.rpartition("@")[2]


def mailbox_in(text: str) -> Mailbox:
    """Parse one address with an optional name; raises `ValueError` for anything else."""
    before, bracket, inside = text.strip().rpartition("<")
    if not bracket:
        return Mailbox(address=_address(inside))
    if not inside.endswith(">") or has_controls(text):
        raise ValueError(NO_MAILBOX)
    return Mailbox(address=_address(inside[:-1]), name=_name(before.strip()))


def _address(text: str) -> str:
    if len(text) > MAX_ADDRESS or not _ADDRESS.fullmatch(text):
        raise ValueError(NO_MAILBOX)
    return text


def _name(text: str) -> str | None:
    quoted = _QUOTED.fullmatch(text)
    if len(text) > MAX_NAME or (quoted is None and _SPECIAL.search(text)):
        raise ValueError(NO_MAILBOX)
    name = re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else text
    # Readers of headers take several blanks for one.
    return " ".join(name.split()) or None
