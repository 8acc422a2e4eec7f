"""
PIN verification over HTTP, as in a web shop's back end.

Start a sandbox with `watchword serve --sandbox`, then run this with its address and key, if they
are not the usual ones: `python examples/http_client.py http://127.0.0.1:8080 sandbox-key`.
"""

import asyncio
import re
import sys
import uuid
from typing import Any

import aiohttp

USUAL = ("http://127.0.0.1:8080", "sandbox-key")


async def main(url: str, api_key: str) -> None:
    """Repeat a request without sending a second code, and handle refusals."""
    async with aiohttp.ClientSession(
        base_url=url, headers={"Authorization": f"Bearer {api_key}"}
    ) as session:
        # One key per sign-in, so that a request repeated after a time-out sends no second code.
        attempt = {"Idempotency-Key": str(uuid.uuid4())}
        wanted = {"destination": "+919812345610", "templateId": "tpl_demo"}
        issued = await call(session, "/v1/pins", wanted, attempt)
        again = await call(session, "/v1/pins", wanted, attempt)
        print(f"{issued['status']}, sent once: {issued['pinId'] == again['pinId']}")

        # A sandbox shows the message of the phone; in production the user types the code.
        async with session.get("/sandbox/outbox") as answer:
            text = (await answer.json())["data"][-1]["text"]
        for typed in ("let me in", re.findall(r"\d{6}", text)[0]):
            verdict = await call(session, f"/v1/pins/{issued['pinId']}/verify", {"pin": typed})
            if "error" in verdict:
                error = verdict["error"]
                print(f"{error['code']}: {error['details']['attemptsRemaining']} attempts left")
                await session.post("/sandbox/clock/advance", json={"seconds": 3})
            else:
                print(verdict["status"])


async def call(
    session: aiohttp.ClientSession, path: str, body: Any, headers: dict[str, str] | None = None
) -> Any:
    """Post JSON and return the answer, a record or a documented error."""
    async with session.post(path, json=body, headers=headers) as answer:
        return await answer.json()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:], *USUAL[len(sys.argv) - 1 :]))
