"""Fair shares: the effect of calls with a thousand recipients on another account's creates (C-94)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from attrs import define, field

from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

from .bulk import send_to
from .plan import RECIPIENTS, Plan
from .processes import port_of, running

BULK_CONNECTIONS = 4
_SMALL_CONNECTIONS = 4
_SECONDS = 3.0
# Between two creates of a connection, so that creates do not wait for each other.
_PAUSE = 0.02


@define
class FairnessFound:
    """
    Seconds of creates alone and beside calls of another account, as a median for each round.

    `ratios` compares the two of each round.
    """

    alone: list[float] = field(factory=list)
    beside: list[float] = field(factory=list)

    @property
    def ratios(self) -> list[float]:
        """Return the factor by which creates are slower beside the calls."""
        return [b / a for a, b in zip(self.alone, self.beside, strict=True)]


async def measure_fairness(
    plan: Plan, directory: Path, advance: Callable[[str], None]
) -> FairnessFound:
    """Measure fair shares on a separate server; `advance` gets the name of each round."""
    found = FairnessFound()
    log = directory / "fairness.log"
    serve = ("serve", "--sandbox", "--port", "0", "--data-dir", str(directory / "fairness"))
    async with running("watchword.entrypoints.cli", *serve, log=log) as process:
        base = f"http://127.0.0.1:{await port_of(process, log)}"
        async with ClientSession(
            base,
            connector=TCPConnector(limit=0),
            timeout=ClientTimeout(60),
            raise_for_status=True,
        ) as session:
            create = await _another_account(session)
            await _creates(session, create, _SECONDS / 3)
            for number in range(plan.rounds):
                advance(f"fairness: round {number + 1} of {plan.rounds}")
                found.alone.append(await _creates(session, create, _SECONDS))
                calls = [asyncio.create_task(_call(session, n)) for n in range(BULK_CONNECTIONS)]
                found.beside.append(await _creates(session, create, _SECONDS))
                over = [call.cancel() for call in calls]
                await asyncio.gather(*calls, return_exceptions=True)
                assert all(over), "a call of many ended early"
                await asyncio.sleep(1)
    return found


async def _another_account(session: ClientSession) -> dict[str, Any]:
    """Create an account that can create PINs; return a create's headers and body."""
    headers = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}

    async def made(kind: str, **body: Any) -> dict[str, Any]:
        async with session.post(f"/admin/v1/{kind}", json=body, headers=headers) as answer:
            record: dict[str, Any] = await answer.json()
            return record

    account = (await made("accounts", name="another"))["id"]
    channel = await made(
        "channel-accounts", account=account, channelType="sms", provider="sandbox", name="another"
    )
    template = await made(
        "pin-templates",
        account=account,
        name="another",
        sendPinPerTemplateLimit="100000000/1d",
        channels=[{"channelType": "sms", "channelAccountId": channel["id"]}],
    )
    key = await made("api-keys", account=account, name="another")
    return {
        "headers": {"Authorization": f"Bearer {key['key']}"},
        "json": {"templateId": template["id"]},
    }


async def _creates(session: ClientSession, create: dict[str, Any], seconds: float) -> float:
    """Create PINs for so many seconds; return the median of their times."""
    ends = perf_counter() + seconds
    times: list[float] = []

    async def one_after_the_other(connection: int) -> None:
        while (began := perf_counter()) < ends:
            # No ending that makes the sandbox reject the message or stay silent.
            destination = f"+447{connection}{int(began * 1000) % 100_000_000:08}9"
            body = {**create["json"], "destination": destination}
            async with session.post("/v1/pins", json=body, headers=create["headers"]) as answer:
                await answer.read()
            times.append(perf_counter() - began)
            await asyncio.sleep(_PAUSE)

    await asyncio.gather(*(one_after_the_other(each) for each in range(_SMALL_CONNECTIONS)))
    return sorted(times)[len(times) // 2]


async def _call(session: ClientSession, connection: int) -> None:
    """Send to a thousand recipients repeatedly until cancelled."""
    numbers = [f"+4478{connection}{n:06}9" for n in range(RECIPIENTS)]
    while True:
        await send_to(session, numbers)
