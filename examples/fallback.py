"""
A message on RCS that falls back to SMS, with its status after each step.

Start a sandbox with `watchword serve --sandbox`, then run this with its address and key, if they are
not the usual ones: `python examples/fallback.py http://127.0.0.1:8080 sandbox-key`. The program moves
the sandbox's clock instead of waiting.
"""

import asyncio
import json
import sys
from typing import Any

import aiohttp

USUAL = ("http://127.0.0.1:8080", "sandbox-key")
# A sandbox destination that ends in 0003 accepts a message and sends no receipt.
SILENT = "+447700900003"


async def main(url: str, api_key: str) -> None:
    """Send, wait until the fallback fires, and read the complete history."""
    async with aiohttp.ClientSession(base_url=url, headers={"apikey": api_key}) as session:
        sent = await call(
            session,
            "/oapi/send_sms",
            {
                "rcs": [
                    {
                        "sender": "Watchword",
                        "recipient": SILENT,
                        "messageType": "template",
                        "contentMessage": {
                            "templateMessage": {
                                "templateCode": "demo",
                                "customParams": json.dumps({"name": "Asha", "order": "4711"}),
                            }
                        },
                        "custref1": "order-4711",
                    }
                ],
                "fallback": {
                    "fallback_id": "demo",
                    "fallback": True,
                    "waittime": "60",
                    "sms": {
                        "sender": "Watchword",
                        "type": "SI",
                        "messageBody": "Your order 4711 is on its way.",
                    },
                },
            },
        )
        entry = sent["data"][0]
        print(f"{entry['channel']}: {entry['status']}, falls back after 60 s")
        await print_status(session, entry["messageId"])

        await call(session, "/sandbox/clock/advance", {"seconds": 60})
        await print_status(session, entry["messageId"])

        async with session.get("/sandbox/outbox", params={"destination": SILENT}) as answer:
            for message in (await answer.json())["data"][-2:]:
                print(f"{message['channel']} to {message['destination']}: {message['text']}")
        print(f"watchword audit replay {entry['fallbackRunId']}")


async def print_status(session: aiohttp.ClientSession, message_id: str) -> None:
    """Print the status of a message and of its fallback."""
    (entry,) = (await call(session, "/status", {"messageIds": [message_id]}))["data"]
    steps = ", ".join(f"{step['channel']} {step['status']}" for step in entry["fallback"]["steps"])
    print(f"{entry['channel']} {entry['status']}; fallback {entry['fallback']['status']}: {steps}")


async def call(session: aiohttp.ClientSession, path: str, body: Any) -> Any:
    """Post JSON and return the answer, or stop with the documented error."""
    async with session.post(path, json=body) as answer:
        body = await answer.json()
        if answer.status != 200:
            raise SystemExit(f"{answer.status}: {body['message']}")
        return body


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:], *USUAL[len(sys.argv) - 1 :]))
