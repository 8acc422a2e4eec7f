"""Load on a server, and a notebook of all that it acknowledged."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

from aiohttp import ClientError, ClientSession
from attrs import define, field, frozen

from watchword.entrypoints.sandbox import API_KEY
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

WORKERS = 12
ATTEMPTS = 3
FEW = 3
PINS = {"Authorization": f"Bearer {API_KEY}"}
ADMIN = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}


@frozen
class Told:
    """One request, and its answer; status 0 where none came."""

    request_id: str
    kind: str
    path: str
    body: dict[str, Any]
    key: str | None = None
    status: int = 0
    answer: bytes = b""

    @property
    def answered(self) -> bool:
        """Whether the server acknowledged it."""
        return self.status > 0

    @property
    def content(self) -> Any:
        """The answer's JSON."""
        return json.loads(self.answer)


@define
class Notebook:
    """Every request of a load, in the order in which they ended."""

    told: list[Told] = field(factory=list)

    def answered(self, kind: str, *statuses: int) -> list[Told]:
        """Give the acknowledged requests of a kind, with one of these statuses if some are given."""
        return [
            each
            for each in self.told
            if each.kind == kind and each.answered and (not statuses or each.status in statuses)
        ]

    def unanswered(self) -> list[Told]:
        """Give the requests that were under way at the end."""
        return [each for each in self.told if not each.answered]

    def of_pin(self, pin_id: str) -> list[Told]:
        """Give what was told about one PIN, in order: one worker alone works on it."""
        return [
            each
            for each in self.told
            if f"/v1/pins/{pin_id}/" in each.path
            or (each.kind == "create" and each.status == 201 and each.content["pinId"] == pin_id)
        ]


@define
class Client:
    """Sends requests, and notes each with its answer."""

    session: ClientSession
    notebook: Notebook
    _sent: int = 0

    async def post(
        self, kind: str, path: str, body: dict[str, Any], key: str | None = None
    ) -> Told:
        """Send a request under an id of its own."""
        self._sent += 1
        request_id = f"load-{self._sent}"
        told = Told(request_id, kind, path, body, key)
        headers = {**PINS, "X-Request-Id": request_id}
        if key is not None:
            headers["Idempotency-Key"] = key
        try:
            async with self.session.post(path, json=body, headers=headers) as response:
                answer = await response.read()
                told = Told(request_id, kind, path, body, key, response.status, answer)
        finally:
            self.notebook.told.append(told)
        return told


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
    for name, few in (("many", "1000/1d"), ("few", f"{FEW}/1d")):
        body = limits | {"name": name, "sendPinPerPhoneNumberLimit": few}
        async with session.post("/admin/v1/pin-templates", json=body, headers=ADMIN) as answer:
            made.append((await answer.json())["id"])
    return Templates(*made)


async def put_under_load(client: Client, templates: Templates, random: Random) -> None:
    """Work until the server is gone."""
    seeds = [random.random() for _ in range(WORKERS)]
    workers = [_work(client, templates, Random(seed), n) for n, seed in enumerate(seeds)]
    await asyncio.gather(*workers, _wait_for_silence(client, templates))


async def _work(client: Client, templates: Templates, random: Random, number: int) -> None:
    try:
        for turn in range(1_000_000):
            destination = f"+1555{number:03}{turn:05}9"
            if random.random() < 0.2:
                # Everybody's: each acceptance supersedes another worker's PIN.
                destination = "+15550000000009"
            await _life_of_a_pin(client, templates.many, destination, random)
            few = f"+1556{number:03}{turn // 5:05}9"
            await client.post("few", "/v1/pins", {"destination": few, "templateId": templates.few})
    except (ClientError, TimeoutError):
        return


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
        code = await _code(client.session, destination)
        await client.post("verify", f"{pin}/verify", {"pin": code})


async def _code(session: ClientSession, destination: str) -> str:
    """Read the newest code from the recipient's phone."""
    async with session.get("/sandbox/outbox", params={"destination": destination}) as answer:
        messages = (await answer.json())["data"]
    return str(messages[-1]["text"]).rstrip(".").split()[-1]


async def _wait_for_silence(client: Client, templates: Templates) -> None:
    """Keep one keyed request in flight: its provider says nothing until the time-out."""
    body = {"destination": "+15557770004", "templateId": templates.many}
    try:
        for turn in range(1_000_000):
            await client.post("create", "/v1/pins", body, f"silence-{turn}")
    except (ClientError, TimeoutError):
        return
