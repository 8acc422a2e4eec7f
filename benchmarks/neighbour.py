"""Another account, whose creates a busy account may slow down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from attrs import frozen

from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

from .processes import port_of, running

ADMIN = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
_CONNECTIONS = 4
# Between two creates of a connection, so that creates do not wait for each other.
_PAUSE = 0.02


@asynccontextmanager
async def served(directory: Path, name: str) -> AsyncIterator[ClientSession]:
    """Serve a store of its own, and yield a client without a bound of connections."""
    log = directory / f"{name}.log"
    serve = ("serve", "--sandbox", "--port", "0", "--data-dir", str(directory / name))
    async with running("watchword.entrypoints.cli", *serve, log=log) as process:
        base = f"http://127.0.0.1:{await port_of(process, log)}"
        unbounded = TCPConnector(limit=0)
        async with ClientSession(base, connector=unbounded, timeout=ClientTimeout(60)) as session:
            yield session


@frozen
class Neighbour:
    """An account that can create PINs."""

    account: str
    template: str
    headers: Mapping[str, str]

    async def create(self, session: ClientSession, destination: str) -> int:
        """Create a PIN; return the status of the answer."""
        body = {"templateId": self.template, "destination": destination}
        async with session.post("/v1/pins", json=body, headers=self.headers) as answer:
            await answer.read()
            return answer.status

    async def creates(self, session: ClientSession, seconds: float) -> Sequence[float]:
        """Create PINs for so many seconds; return the seconds that each took, the shortest first."""
        ends = perf_counter() + seconds
        times: list[float] = []

        async def one_after_the_other(connection: int) -> None:
            while (began := perf_counter()) < ends:
                # No ending that makes the sandbox reject the message or stay silent.
                destination = f"+447{connection}{int(began * 1000) % 100_000_000:08}9"
                status = await self.create(session, destination)
                assert status < 400, status
                times.append(perf_counter() - began)
                await asyncio.sleep(_PAUSE)

        await asyncio.gather(*(one_after_the_other(each) for each in range(_CONNECTIONS)))
        return sorted(times)


async def neighbour(session: ClientSession, name: str = "another") -> Neighbour:
    """Create an account that can create PINs."""

    async def made(kind: str, **body: Any) -> dict[str, Any]:
        async with session.post(f"/admin/v1/{kind}", json=body, headers=ADMIN) as answer:
            answer.raise_for_status()
            record: dict[str, Any] = await answer.json()
            return record

    account = (await made("accounts", name=name))["id"]
    channel = await made(
        "channel-accounts", account=account, channelType="sms", provider="sandbox", name=name
    )
    template = await made(
        "pin-templates",
        account=account,
        name=name,
        sendPinPerTemplateLimit="100000000/1d",
        sendPinPerPhoneNumberLimit="100000000/1d",
        channels=[{"channelType": "sms", "channelAccountId": channel["id"]}],
    )
    key = await made("api-keys", account=account, name=name)
    return Neighbour(account, template["id"], {"Authorization": f"Bearer {key['key']}"})
