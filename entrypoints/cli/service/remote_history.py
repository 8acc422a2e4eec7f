"""Reads histories and the log of a running service (C-38)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from attrs import field, frozen
from attrs.validators import min_len

from ...wire.log_searches import log_query
from .client import Client
from .records import Record
from .stored_log import LOOK_AT_LOG, LogQuestion

# Less than a client waits for an answer.
_WAIT_SECONDS = 20


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


async def remote_log(client: Client, asked: LogQuestion) -> AsyncIterator[Sequence[Record]]:
    """Yield pages of a service's log; masked personal data do not leave the service."""
    query: dict[str, str | Sequence[str]] = {"limit": str(asked.most), **log_query(asked.search)}
    if asked.mask:
        query["mask"] = "true"
    if asked.follow:
        query["wait"] = str(_WAIT_SECONDS)
    clock, after = asyncio.get_running_loop(), asked.after
    while True:
        began = clock.time()
        shown = await client.call("GET", "/events", query={**query, "after": str(after)})
        page = client.understood(shown, _Log)
        if page.next != after:
            after = page.next
            yield shown["data"]
        elif not asked.follow:
            return
        elif clock.time() - began < LOOK_AT_LOG:
            # A service that is about to stop does not wait.
            await asyncio.sleep(LOOK_AT_LOG)
