"""
An SMS with a short link, the click on it, and the delivery report.

Start a sandbox with `watchword serve --sandbox`, then run this with its address, its key and the
operator's token, if they are not the usual ones:
`python examples/short_link.py http://127.0.0.1:8080 sandbox-key sandbox-admin`.
"""

import asyncio
import sys
from typing import Any

import aiohttp

USUAL = ("http://127.0.0.1:8080", "sandbox-key", "sandbox-admin")
# A sandbox destination that ends in 0005 reports within a second that the message was delivered.
PHONE = "+447700900005"
LONG_URL = "https://tea.example/pay?order=4711"


async def main(url: str, api_key: str, admin_token: str) -> None:
    """Send, follow the link as the recipient would, and read click and delivery."""
    async with aiohttp.ClientSession(base_url=url, headers={"apikey": api_key}) as session:
        body = {
            "sms": [
                {
                    "sender": "Watchword",
                    "recipient": PHONE,
                    "type": "SI",
                    "messageBody": f"Pay here: {LONG_URL}",
                }
            ],
            "urlShortener": {"flag": 1, "urlDetails": [{"longUrl": LONG_URL, "track_user": 1}]},
        }
        async with session.post("/oapi/send_sms", json=body) as answer:
            sent = await body_of(answer)

        async with session.get("/sandbox/outbox", params={"destination": PHONE}) as answer:
            text = (await body_of(answer))["data"][-1]["text"]
        print(text)
        async with session.get(text.split()[-1], allow_redirects=False) as answer:
            print(answer.status, answer.headers["Location"])

        operator = {"Authorization": f"Bearer {admin_token}"}
        query = {"after": 0, "limit": 1000}
        async with session.get("/admin/v1/events", params=query, headers=operator) as answer:
            for event in (await body_of(answer))["data"]:
                if event["type"] == "ShortLinkClicked":
                    print(event["data"]["messageId"], "clicked at", event["occurredAt"])

        # Moving the sandbox's clock delivers the pending receipt.
        async with session.post("/sandbox/clock/advance", json={"seconds": 1}) as answer:
            await body_of(answer)
        async with session.get("/messages", params={"recipient": PHONE}) as answer:
            for message in (await body_of(answer))["data"]:
                if message["messageId"] == sent["data"][0]["messageId"]:
                    story = ", ".join(each["status"] for each in message["events"])
                    name, phone = message["channelName"], message["recipient"]
                    print(f"{name} to {phone}: {message['status']} ({story})")


async def body_of(answer: aiohttp.ClientResponse) -> Any:
    """Return the answer, or stop with the documented error."""
    said = await answer.json()
    if answer.status != 200:
        raise SystemExit(f"{answer.status}: {said.get('message', said)}")
    return said


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:], *USUAL[len(sys.argv) - 1 :]))
