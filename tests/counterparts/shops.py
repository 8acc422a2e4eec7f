"""A whole service on SQLite that sends through one carrier, and what its owner sees of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from attrs import frozen

import watchword
from tests.crash.waiting import PATIENCE
from watchword.domain.message import MessageReceived

PHONE = "+447911123456"
_LOOK_AGAIN = 0.02


def phone(number: int) -> str:
    """Return the n-th phone number."""
    return f"+4479112{number:05}"


@frozen
class Shop:
    """A service, an account in it, and the address of its channel account."""

    service: watchword.Service
    account: str
    callback_url: str | None

    async def issue(self, text: str) -> str:
        """Send a PIN in this text; return its id."""
        content = [{"channel_type": "sms", "content_text": text}]
        template = await self.service.pin_templates.create(self.account, "login", content)
        return (await self.service.pins.issue(self.account, template, PHONE)).pin_id

    async def pin_delivered(self, pin_id: str) -> None:
        """Wait until a receipt says that the code was delivered."""

        async def status() -> object:
            (attempt,) = (await self.service.pins.get(self.account, pin_id)).channels
            return (attempt.get("receipt") or {}).get("status")

        await _until("delivered", status)

    async def send(self, number: int, text: str) -> str:
        """Send a text to the n-th phone; return the message's id."""
        sms = {"sender": "Watchword", "type": "SI", "messageBody": text}
        sent = await self.service.messages.send(
            self.account, sms=[{**sms, "recipient": phone(number)}]
        )
        return sent.messages[0].message_id

    async def statuses(self, message_ids: Sequence[str]) -> Sequence[str]:
        """Return the statuses of messages."""
        found = await self.service.messages.status(self.account, message_ids)
        return [each.status for each in found]

    async def delivered(self, message_ids: Sequence[str]) -> None:
        """Wait until receipts say that all were delivered."""
        await _until(["delivered"] * len(message_ids), lambda: self.statuses(message_ids))

    async def heard(self, expected: Sequence[tuple[str, str]]) -> None:
        """Wait until these people's messages, and no others, came: each a sender and a text."""
        await _until(sorted(expected), self._inbound)

    async def _inbound(self) -> Sequence[tuple[str, str]]:
        page = await self.service.messages.list(self.account, direction="inbound")
        found = []
        for each in page.data:
            (recorded,) = await self.service.events.get(each.message_id)
            assert isinstance(recorded.event, MessageReceived)
            found.append((recorded.event.sender, recorded.event.text))
        return sorted(found)


@asynccontextmanager
async def open_shop(
    folder: Path, provider: str, config: Mapping[str, Any], **more: Any
) -> AsyncIterator[Shop]:
    """Yield a shop with a channel account of a provider, which binds at its start."""
    store = f"sqlite:///{folder}/watchword.db"
    async with watchword.open(store, run_worker=False, **more) as service:
        account = await service.accounts.create("shop")
        made = await service.channel_accounts.create(
            account, "sms", provider, "carrier", sender="Watchword", config=config
        )
    async with watchword.open(store, **more) as service:
        yield Shop(service, account.id, made.callback_url)


async def _until(expected: object, look: Callable[[], Awaitable[object]]) -> None:
    found: object = None
    try:
        async with asyncio.timeout(PATIENCE):
            while (found := await look()) != expected:  # noqa: ASYNC110  the carrier makes it come true
                await asyncio.sleep(_LOOK_AGAIN)
    except TimeoutError:
        raise AssertionError(f"Expected {expected!r}, and found {found!r}.") from None
