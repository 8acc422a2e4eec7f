"""Calls to one number, with erasures of its person among them, on servers that are killed meanwhile."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from aiohttp import ClientError, ClientSession
from attrs import define, field

from tests.crash.load import ADMIN, Client, Templates
from tests.crash.notebook import Exchange
from tests.crash.waiting import PATIENCE
from watchword.entrypoints.demo.seeding import ACCOUNT, API_KEY

NUMBER = "+447700900619"
STRANGER = "+447700900629"
CALLS = 200
# The first erasure and the kill come so late at most; later, most calls would have ended.
FIRST_WITHIN, KILLED_WITHIN = 0.3, 0.2
MOST_ERASURES = 3
ERASE = "/admin/v1/people/erase"
_SMS = {"sender": "Watchword", "recipient": NUMBER, "type": "SI", "messageBody": "Tea at five."}


@define
class Race:
    """The calls of one round: creates, resends and sends to one number, and one erasure after the other."""

    client: Client
    templates: Templates
    random: Random
    erasures: int = 0
    _pins: list[str] = field(factory=list)
    _sent: asyncio.Event = field(factory=asyncio.Event)
    _over: bool = False

    async def run(self) -> None:
        """
        Go on until all calls have ended, each with an answer or because its server was killed.

        The erasures go on until `MOST_ERASURES` were sent, because `until_erasing` may wait for any of them.
        """
        calls = [self.create, self.resend, self.send]
        await self.create()
        erasing = asyncio.create_task(self._erase_again_and_again())
        try:
            await asyncio.gather(*(calls[number % len(calls)]() for number in range(CALLS)))
        finally:
            self._over = True
            await erasing

    async def until_erasing(self) -> None:
        """Return a moment after one of the first erasures was sent, whether it was answered or not."""
        wanted = self.random.randint(1, MOST_ERASURES)
        while self.erasures < wanted:
            self._sent.clear()
            await self._sent.wait()
        # Not a wait for something: the kill comes before, amid or after the work of the erasure.
        await asyncio.sleep(self.random.uniform(0, KILLED_WITHIN))

    async def create(self) -> str:
        """Create a PIN, some of them under an Idempotency-Key; return its id if it was accepted."""
        key = f"key-{self.random.getrandbits(64)}" if self.random.random() < 0.3 else None
        body = {"destination": NUMBER, "templateId": self.templates.many}
        created = await self._try("create", "/v1/pins", body, key=key)
        if created is None or created.status != 201:
            return ""
        self._pins.append(created.content["pinId"])
        return self._pins[-1]

    async def resend(self) -> None:
        """Resend one of the newest PINs."""
        if self._pins:
            pin_id = self.random.choice(self._pins[-3:])
            await self._try("resend", f"/v1/pins/{pin_id}/resend", {})

    async def send(self) -> None:
        """Send a message."""
        await self._try("send", "/oapi/send_sms", {"sms": [_SMS]}, rights={"apikey": API_KEY})

    async def _erase_again_and_again(self) -> None:
        # Not a wait for something: creates, resends and sends are under way at the first erasure.
        await asyncio.sleep(self.random.uniform(0, FIRST_WITHIN))
        while not self._over or self.erasures < MOST_ERASURES:
            self.erasures += 1
            self._sent.set()
            await self._try("erase", ERASE, _whom(NUMBER), rights=ADMIN)

    async def _try(
        self,
        kind: str,
        path: str,
        body: dict[str, Any],
        key: str | None = None,
        **rights: dict[str, str],
    ) -> Exchange | None:
        try:
            return await self.client.post(kind, path, body, key, **rights)
        except (ClientError, TimeoutError):
            # Its server was killed, or is gone: whoever tries again must not keep the event loop.
            await asyncio.sleep(0.01)
            return None


async def all_finished(client: Client) -> bool:
    """Ask for the certificate of somebody unknown, which speaks for the account's erasures (D-341)."""
    certificate = await client.post("ask", ERASE, _whom(STRANGER), rights=ADMIN)

    assert 200 == certificate.status
    assert not certificate.content["erased"]
    return bool(certificate.content["finished"])


async def until_finished(client: Client) -> None:
    """Wait until the worker has finished every erasure of the account."""
    async with asyncio.timeout(PATIENCE):
        while not await all_finished(client):
            continue


async def pass_time(session: ClientSession, seconds: int) -> None:
    """Move the clock of a sandbox, which does what is due then."""
    path, body = "/sandbox/clock/advance", {"seconds": seconds}
    async with session.post(path, json=body, headers=ADMIN) as answer:
        assert 200 == answer.status, await answer.text()


def _whom(destination: str) -> dict[str, str]:
    return {"account": ACCOUNT, "destination": destination}
