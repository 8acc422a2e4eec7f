"""Typical searches of operators and callers in a long store, over HTTP."""

from __future__ import annotations

from time import perf_counter
from urllib.parse import quote

from aiohttp import ClientSession, ClientTimeout

from watchword.entrypoints.demo.seeding import API_KEY, TEMPLATE_ID
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

from .long_stores.seeding import Seeded
from .summary import Spread

TIMES = 9
_ADMIN = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
_CALLER = {"apikey": API_KEY}


def questions(seeded: Seeded) -> dict[str, tuple[str, dict[str, str]]]:
    """Return the path and the headers of each search by name."""
    number, pin = quote(seeded.number), seeded.pin_id
    search = "/admin/v1/verifications"
    return {
        "the newest PINs": (search, _ADMIN),
        "PINs of a template": (f"{search}?templateId={TEMPLATE_ID}", _ADMIN),
        "PINs of a status": (f"{search}?status=VERIFIED", _ADMIN),
        "PINs of a status that none has": (f"{search}?status=BLOCKED", _ADMIN),
        "PINs on a channel that none has": (f"{search}?channel=email", _ADMIN),
        "PINs to a number": (f"{search}?destination={number}", _ADMIN),
        "a PIN by its reference": (f"{search}?referenceId=ref-{pin}", _ADMIN),
        "the newest messages": ("/history", _CALLER),
        "messages on a channel": ("/history?channel=sms", _CALLER),
        "messages to a number": (f"/history?recipient={number}", _CALLER),
        "a PIN's events": (f"/admin/v1/streams/{pin}/events", _ADMIN),
        "the log from its middle": (f"/admin/v1/events?after={seeded.events // 2}", _ADMIN),
    }


async def answers(port: int, seeded: Seeded) -> dict[str, Spread | None]:
    """Run each search a few times; return the milliseconds of the answers."""
    found = {}
    async with ClientSession(
        f"http://127.0.0.1:{port}", timeout=ClientTimeout(30), raise_for_status=True
    ) as session:
        for name, (path, headers) in questions(seeded).items():
            taken = []
            for _ in range(TIMES):
                began = perf_counter()
                async with session.get(path, headers=headers) as answer:
                    await answer.read()
                taken.append((perf_counter() - began) * 1000)
            found[name] = Spread.of(taken)
    return found
