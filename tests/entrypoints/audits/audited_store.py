"""A store file of a service that was asked for everything, for audits to be tried on copies of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from aiohttp.test_utils import TestClient, TestServer

from tests.entrypoints.messaging.sends import SMS
from tests.entrypoints.openapi.described import Document
from tests.entrypoints.openapi.walk import PHONE, Walk, walk_everything
from tests.fakes.hashers import FakePasswordHasher
from watchword.application.audit.checking import Checked
from watchword.application.caller import THE_WORKER
from watchword.domain.destination import canonical
from watchword.domain.guard import Rule, country_subject, person_subject
from watchword.domain.rate_limit import Rate
from watchword.entrypoints.composition.bootstrap import auditing, wired
from watchword.entrypoints.demo.seeding import TEMPLATE_ID
from watchword.entrypoints.http.app import Exposure, build_app
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings
from watchword.entrypoints.wired import Wired

STORE = "watchword.db"


def build(folder: Path) -> None:
    """Serve a sandbox on a new file, call every route, and leave some work to be done later."""
    asyncio.run(_build(folder))


def settings_of(folder: Path) -> Settings:
    """Return the settings of a sandbox whose store and files are in a folder."""
    return Settings(
        sandbox=True,
        store=f"sqlite:///{folder / STORE}",
        data_dir=folder,
        provider_timeout=0.05,
        allow_private_urls=True,
    )


def checked(folder: Path) -> Checked:
    """Check a store as `watchword audit check` does."""

    async def run() -> Checked:
        async with auditing(settings_of(folder), to_check=True) as reader:
            return await reader.check()

    return asyncio.run(run())


async def _build(folder: Path) -> None:
    async with wired(settings_of(folder), password_hasher=FakePasswordHasher()) as service:
        app = build_app(service, Exposure(admin_token=SANDBOX_ADMIN_TOKEN))
        async with TestClient(TestServer(app)) as client:
            walk = Walk(client, Document.read())
            await walk_everything(walk)
            await refuse_sends(service)
            await _fall_back(walk)
            await _leave_work(walk)


async def refuse_sends(service: Wired) -> None:
    """Have the guard refuse sends of a country, and flag guesses at a person."""
    account_id = await service.accounts.resolve(THE_WORKER, "demo")
    decisions = service.counted_decisions
    decisions.refused(account_id, Rule.COUNTRY, country_subject("IR"), Rate("50/1d"))
    person_id = await service.people.find(account_id, PHONE)
    subject = person_subject(canonical(PHONE), person_id, "IN")
    decisions.flagged(account_id, Rule.GUESSES, subject, Rate("50/1d"))
    await service.recording_decisions.end()


async def _fall_back(walk: Walk) -> None:
    """Make one fallback stand down and another fire, and a code expire."""
    fallback = {"fallback_id": "demo", "fallback": True, "waittime": "60"}
    step = {"type": "SI", "sender": "TEATWO", "messageBody": "Tea is ready."}
    send = {"sms": [SMS], "fallback": fallback | {"sms": step}}
    arrived = (await walk.messaging(send))["data"][0]["messageId"]
    delivered = {"status": "DELIVERED", "messageId": arrived}
    await walk.call("POST", "/sandbox/receipts", json=delivered)
    await walk.messaging(send)
    wanted = {"destination": "+919812345699", "templateId": TEMPLATE_ID}
    made = await walk.pins("POST", "/v1/pins", json=wanted)
    await walk.call("POST", "/sandbox/clock/advance", json={"seconds": 3600})
    await walk.pins("POST", f"/v1/pins/{made['pinId']}/verify", json={"pin": "late"})


async def _leave_work(walk: Walk) -> None:
    """Leave unanswered callbacks, a waiting fallback with a sealed step, and live codes."""
    told = {"account": "demo", "url": "http://127.0.0.1:9/told", "events": ["*"]}
    await walk.admin("POST", "/admin/v1/callbacks", json=told)
    fallback = {"fallback_id": "demo", "fallback": True, "waittime": "3600"}
    code = {"type": "TXN", "sender": "TEATWO", "messageBody": "Your code is 4711."}
    await walk.messaging({"sms": [SMS], "fallback": fallback | {"sms": code}}, "left")
    for number in range(3):
        wanted = {"destination": f"+91981234570{number}", "templateId": TEMPLATE_ID}
        keyed = {"Idempotency-Key": f"left-{number}"}
        made = await walk.pins("POST", "/v1/pins", json=wanted, headers=keyed)
        await walk.pins("POST", f"/v1/pins/{made['pinId']}/verify", json={"pin": "wrong"})
    unknown = {"status": "DELIVERED", "providerMessageId": "nobody knows this one"}
    await walk.call("POST", "/sandbox/receipts", json=unknown)
    # Due callbacks have been tried, and are tried again later.
    await walk.call("POST", "/sandbox/clock/advance", json={"seconds": 1})
