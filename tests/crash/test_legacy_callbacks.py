"""Killed between an event and the call to a message's own URL, a server makes that call later (C-33)."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohttp import ClientError, ClientSession

from tests.crash.server import connected, serving
from tests.entrypoints.legacy.bodies import TEXT
from tests.entrypoints.receiving import receiving

KILLS = 3
ADMIN = {"Authorization": "Bearer sandbox-admin"}
LOGIN = {"email": "asha@tea.example", "password": "oolong-oolong"}
WORDS = ("SENT", "DELIVERED", "READ")


async def test_no_kill_loses_or_doubles_a_status(tmp_path: Path) -> None:
    """Each recorded status is sent under one id, and none before the one before it."""
    chance, token = random.Random(7), ""
    flags = ("--allow-private-urls",)
    async with receiving() as receiver:
        body = {**TEXT, "callbackUrl": receiver.url}
        for _ in range(KILLS):
            async with serving(tmp_path, *flags) as server, connected(server) as session:
                token = token or await logged_in(session)
                telling = asyncio.create_task(tell(session, token, body))
                # Not a wait for something: this is how long the server goes on.
                await asyncio.sleep(chance.uniform(0.1, 0.6))
                server.kill()
                await telling
        async with serving(tmp_path, *flags) as server, connected(server) as session:
            for _ in range(12):
                # Calls that were cut off are made again once they would have ended, others behind them.
                await said(session, "/sandbox/clock/advance", {"seconds": 60})
            answer = await session.get(
                "/admin/v1/messages?account=demo&pageSize=100", headers=ADMIN
            )
            messages = (await answer.json())["data"]

    recorded = {
        (each["messageId"], line["status"].upper())
        for each in messages
        for line in each["events"]
        if line["status"].upper() in WORDS
    }
    first: dict[str, tuple[str, str]] = {}
    for each in receiver.came:
        event = json.loads(each.body)["event"]
        told = (event["messageId"], event["status"])
        assert told == first.setdefault(each.id, told)
    assert recorded == set(first.values())
    assert len(recorded) == len(first)
    for each in messages:
        order = [word for message_id, word in first.values() if message_id == each["messageId"]]
        assert list(WORDS[: len(order)]) == order
    assert len(recorded) > KILLS


async def logged_in(session: ClientSession) -> str:
    """Create a user, and return a token without an end."""
    made = await session.post("/admin/v1/legacy-users", json=LOGIN, headers=ADMIN)
    assert 201 == made.status
    given = await said(session, "/account/enterprise/login", {**LOGIN, "neverExpire": True})
    return str(given["data"]["token"])


async def tell(session: ClientSession, token: str, body: Mapping[str, Any]) -> None:
    """Send messages, and have each reported on, until the server is gone."""
    with suppress(ClientError):
        while True:
            given = await said(session, "/svc/api/message/send", body, token)
            for word in WORDS:
                told = {"messageId": given["data"]["messageId"], "status": word}
                await said(session, "/sandbox/receipts", told)


async def said(
    session: ClientSession, path: str, body: Mapping[str, Any], token: str = ""
) -> dict[str, Any]:
    """Call, and return the answer."""
    headers = {"authentication-token": token} if token else {}
    async with session.post(path, json=body, headers=headers) as answer:
        return dict(await answer.json())
