"""Lists of numbers that opted in to WhatsApp messages, or out of them (C-27)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from msgspec import field

from .messages import PageDetails
from .wire import CamelWire, Wire

OptList = Literal["in", "out"]


class ListedRecipients(Wire, frozen=True, kw_only=True):
    """The body of a change of a list: 1 to 1,000 numbers."""

    recipients: Sequence[str]


class ListOptList(CamelWire, frozen=True, kw_only=True):
    """The parameters of a page of a list."""

    page_no: int | None = None
    limit: int | None = None


class ListedRecipient(Wire, frozen=True, kw_only=True):
    """A number, and since when it is on the list."""

    recipient: str
    since: datetime


class OptListPage(Wire, frozen=True, kw_only=True):
    """A page of a list."""

    page_details: PageDetails
    recipients: tuple[ListedRecipient, ...] = field(name="data")


class Added(Wire, frozen=True, kw_only=True):
    """How many numbers were put on a list, and how many stood there already."""

    added: int
    unchanged: int


class AddedToList(Wire, frozen=True, kw_only=True):
    """The answer to an addition."""

    status: str
    data: Added


class Removed(Wire, frozen=True, kw_only=True):
    """How many numbers were taken off a list, and how many did not stand there."""

    removed: int
    unchanged: int


class RemovedFromList(Wire, frozen=True, kw_only=True):
    """The answer to a removal."""

    status: str
    data: Removed
