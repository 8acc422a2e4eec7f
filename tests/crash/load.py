"""Load on a server, each request noted with its answer."""

from __future__ import annotations

import asyncio
import os
from random import Random
from time import perf_counter
from typing import Any

from aiohttp import ClientError, ClientSession
from attrs import evolve, frozen

from tests.crash.notebook import Exchange, Notebook
from watchword.entrypoints.demo.seeding import API_KEY
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

# The number of kills, and the seed of the load; more loops find rarer failures.
LOOPS = int(os.environ.get("WATCHWORD_CRASH_LOOPS", "30"))
SEED = int(os.environ.get("WATCHWORD_CRASH_SEED", "4711"))
WORKERS = 12
ATTEMPTS = 3
FEW = 3
PINS = {"Authorization": f"Bearer {API_KEY}"}
ADMIN = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
SILENT = "+15557770004"


@frozen
class Templates:
    """The templates that the load sends under."""

    many: str
    few: str


async def set_up(session: ClientSession) -> Templates:
    """Make a template that allows all that the load does, and one that allows few sends."""
    limits = {
        "pinAttempts": ATTEMPTS,
        "verifyPinLimit": "1000/1s",
        "sendPinPerTemplateLimit": "1000000/1d",
        "resendCooldown": "0s",
        "channels": [{"channelType": "sms"}],
    }
    made = []
    for name, few in (("many", "100000/1d"), ("few", f"{FEW}/1d")):
        body = limits | {"name": name, "sendPinPerPhoneNumberLimit": few}
        async with session.post("/admin/v1/pin-templates", json=body, headers=ADMIN) as answer:
            made.append((await answer.json())["id"])
    return Templates(*made)


@frozen
class Client:
    """Sends requests, and notes each with its answer."""

    session: ClientSession
    notebook: Notebook

    async def post(
        self,
        kind: str,
        path: str,
        body: dict[str, Any],
        key: str | None = None,
        rights: dict[str, str] = PINS,
    ) -> Exchange:
        """Send a request under an id of its own."""
        started = perf_counter()
        exchange = Exchange(self.notebook.new_request_id(), kind, path, body, key, sent_at=started)
        headers = {**rights, "X-Request-Id": exchange.request_id}
        if key is not None:
            headers["Idempotency-Key"] = key
        try:
            async with self.next_session().post(path, json=body, headers=headers) as response:
                exchange = evolve(
                    exchange,
                    answer=await response.read(),
                    status=response.status,
                    headers=response.headers,
                )
        finally:
            self.notebook.exchanges.append(evolve(exchange, seconds=perf_counter() - started))
        if exchange.status == 503:
            # A client that is asked to come again does not come at once.
            await asyncio.sleep(0.1)
        return exchange

    def next_session(self) -> ClientSession:
        """Return the way that the next request takes."""
        return self.session

    async def outbox(self, destination: str) -> list[Any]:
        """Return the messages on a recipient's phone."""
        return await outbox(self.session, destination)

    async def code(self, destination: str) -> str:
        """Read the newest code from the recipient's phone."""
        return str((await self.outbox(destination))[-1]["text"]).rstrip(".").split()[-1]


async def outbox(session: ClientSession, destination: str) -> list[Any]:
    """Return the messages on one server's phones for a recipient."""
    query = {"destination": destination}
    async with session.get("/sandbox/outbox", params=query) as answer:
        return list((await answer.json())["data"])


async def put_under_load(
    client: Client, templates: Templates, random: Random, workers: int = WORKERS
) -> None:
    """Work until the server is gone, or the task is cancelled."""
    seeds = [random.random() for _ in range(workers)]
    await asyncio.gather(*(_work(client, templates, Random(seed)) for seed in seeds))


async def keep_silence(client: Client, templates: Templates) -> None:
    """Keep one keyed request in flight: its provider says nothing until the time-out."""
    try:
        while True:
            key = f"silence-{len(client.notebook.exchanges)}"
            body = {"destination": SILENT, "templateId": templates.many}
            await client.post("create", "/v1/pins", body, key)
    except (ClientError, TimeoutError):
        return


async def _work(client: Client, templates: Templates, random: Random) -> None:
    try:
        while True:
            few = _number(random)
            for _ in range(FEW + 2):
                # Some are everybody's: each acceptance supersedes another worker's PIN.
                shared = random.random() < 0.2
                destination = "+15550000000009" if shared else _number(random)
                await _life_of_a_pin(client, templates.many, destination, random)
                body = {"destination": few, "templateId": templates.few}
                await client.post("few", "/v1/pins", body)
    except (ClientError, TimeoutError):
        return


def _number(random: Random) -> str:
    return f"+1555{random.randrange(10**9):09}9"


async def _life_of_a_pin(client: Client, template: str, destination: str, random: Random) -> None:
    key = f"key-{random.getrandbits(64)}" if random.random() < 0.5 else None
    rejected = random.random() < 0.1
    body = {
        "destination": destination[:-4] + "0001" if rejected else destination,
        "templateId": template,
    }
    created = await client.post("create", "/v1/pins", body, key)
    if created.status != 201:
        return
    pin = f"/v1/pins/{created.content['pinId']}"
    for _ in range(random.randrange(4)):
        await client.post("verify", f"{pin}/verify", {"pin": "wrong"})
    if random.random() < 0.3:
        await client.post("resend", f"{pin}/resend", {}, key)
        await client.post("verify", f"{pin}/verify", {"pin": "wrong"})
    if random.random() < 0.5:
        code = await client.code(destination)
        await client.post("verify", f"{pin}/verify", {"pin": code})
