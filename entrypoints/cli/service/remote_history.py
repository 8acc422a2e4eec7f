"""Reads histories and the log of a running service (C-38)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from attrs import field, frozen
from attrs.validators import min_len

from ....application.audit.reading_log import MAX_EVENTS
from .client import Client
from .records import Record


@frozen(kw_only=True)
class _Envelope:
    type: str
    schema: int
    version: int
    occurred_at: datetime
    actor: str
    data: Mapping[str, Any] = field(repr=False)


@frozen(kw_only=True)
class _History:
    data: tuple[_Envelope, ...] = field(validator=min_len(1))


@frozen(kw_only=True)
class _Log:
    data: tuple[_Envelope, ...]
    next: int


async def remote_history(client: Client, stream: str, *, mask: bool) -> Sequence[Record]:
    """Return a stream's events; with `mask`, personal data do not leave the service."""
    query = {"mask": "true"} if mask else {}
    shown = await client.call("GET", f"/streams/{quote(stream, safe='')}/events", query=query)
    client.understood(shown, _History)
    events: list[Record] = shown["data"]
    return events


async def remote_log(
    client: Client, after: int, names: Collection[str] = (), *, mask: bool
) -> AsyncIterator[Sequence[Record]]:
    """Yield the log after a position, page by page; with `mask`, personal data do not leave the service."""
    masked = {"mask": "true"} if mask else {}
    while True:
        query = {"after": str(after), "limit": str(MAX_EVENTS), **masked, "type": [*names]}
        shown = await client.call("GET", "/events", query=query)
        page = client.understood(shown, _Log)
        if page.next == after:
            return
        yield shown["data"]
        after = page.next
