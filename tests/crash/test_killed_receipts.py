"""
Killed in the middle of receipts, the service has each one that it acknowledged (C-70).

The issue's mark is 20 kills among 10,000 receipts: `WATCHWORD_CRASH_RECEIPTS=10000
WATCHWORD_CRASH_RECEIPT_KILLS=20 pytest tests/crash/test_killed_receipts.py`.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from random import Random

from aiohttp import ClientError, ClientSession
from attrs import define, field, frozen

from tests.crash.load import ADMIN, SEED
from tests.crash.record import Record
from tests.crash.server import Server, connected, serving
from watchword.domain.message import MessageReported
from watchword.domain.receipt import ReceiptStatus
from watchword.entrypoints.demo.seeding import API_KEY

RECEIPTS = int(os.environ.get("WATCHWORD_CRASH_RECEIPTS", "600"))
KILLS = int(os.environ.get("WATCHWORD_CRASH_RECEIPT_KILLS", "4"))
WORKERS = 16
RECIPIENTS = 1_000


@frozen
class Sent:
    """A message, as its provider knows it."""

    message_id: str
    channel_account_id: str
    provider_message_id: str


@define
class Provider:
    """Posts a receipt of each message, and posts it again until it is acknowledged, as providers do."""

    waiting: deque[Sent]
    acknowledged: dict[str, Sent] = field(factory=dict)
    posts: int = 0

    async def post_until(self, number: int, server: Server, session: ClientSession) -> None:
        """Post on many connections until so many are acknowledged; kill the server then."""
        workers = (self._work(number, server, session) for _ in range(WORKERS))
        await asyncio.gather(*workers)

    async def _work(self, number: int, server: Server, session: ClientSession) -> None:
        while self.waiting:
            sent = self.waiting.popleft()
            self.posts += 1
            request_id = f"receipt-{self.posts}"
            try:
                status = await _post(session, sent, request_id)
            except (ClientError, TimeoutError):
                self.waiting.append(sent)
                return
            if status == 200:
                self.acknowledged[request_id] = sent
                if len(self.acknowledged) == number:
                    server.kill()
            else:
                self.waiting.append(sent)


async def _post(session: ClientSession, sent: Sent, request_id: str) -> int:
    body = {"providerMessageId": sent.provider_message_id, "status": "DELIVERED"}
    path = f"/callbacks/{sent.channel_account_id}"
    async with session.post(path, json=body, headers={"X-Request-Id": request_id}) as answer:
        await answer.read()
        return answer.status


async def send(session: ClientSession, first: int, number: int) -> Sequence[Sent]:
    """Send messages, and return them as the sandbox's provider knows them."""
    sms = {"sender": "Watchword", "type": "SI", "messageBody": "Your tea is ready."}
    numbers = [f"+1555{first + each:08}9" for each in range(number)]
    body = {"sms": [{**sms, "recipient": each} for each in numbers]}
    async with session.post("/oapi/send_sms", json=body, headers={"apikey": API_KEY}) as answer:
        assert 200 == answer.status, await answer.text()
    async with session.get("/sandbox/outbox", headers=ADMIN) as answer:
        shown = (await answer.json())["data"]
    async with session.delete("/sandbox/outbox", headers=ADMIN) as answer:
        assert answer.status < 300
    return [
        Sent(each["messageId"], each["channelAccountId"], each["providerMessageId"])
        for each in shown
    ]


async def test_no_acknowledged_receipt_is_lost(tmp_path: Path) -> None:
    """Each one has its event, under the id of its post, and every message is delivered at the end."""
    random = Random(SEED)
    provider = Provider(deque())
    async with serving(tmp_path) as server, connected(server) as session:
        for first in range(0, RECEIPTS, RECIPIENTS):
            provider.waiting += await send(session, first, min(RECIPIENTS, RECEIPTS - first))
    assert RECEIPTS == len(provider.waiting)

    for number in sorted(random.sample(range(1, RECEIPTS), KILLS)):
        async with serving(tmp_path) as server, connected(server) as session:
            await provider.post_until(number, server, session)
            assert number <= len(provider.acknowledged)
    async with serving(tmp_path) as server, connected(server) as session:
        await provider.post_until(RECEIPTS + 1, server, session)
    record = await Record.of(tmp_path / "watchword.db")

    assert RECEIPTS == len(provider.acknowledged)
    lost = [
        request_id
        for request_id, sent in provider.acknowledged.items()
        if not any(
            isinstance(each.event, MessageReported)
            and each.event.status is ReceiptStatus.DELIVERED
            and each.stream == sent.message_id
            for each in record.behind(request_id)
        )
    ]
    assert [] == lost
    assert () == record.checked.differences
