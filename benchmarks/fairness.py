"""Fair shares: the effect of calls with a thousand recipients on another account's creates (C-94)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from aiohttp import ClientSession
from attrs import define, field

from .bulk import send_to
from .neighbour import neighbour, served
from .plan import RECIPIENTS, Plan

BULK_CONNECTIONS = 4
_SECONDS = 3.0


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
    async with served(directory, "fairness") as session:
        other = await neighbour(session)
        await other.creates(session, _SECONDS / 3)
        for number in range(plan.rounds):
            advance(f"fairness: round {number + 1} of {plan.rounds}")
            found.alone.append(_median(await other.creates(session, _SECONDS)))
            calls = [asyncio.create_task(_call(session, n)) for n in range(BULK_CONNECTIONS)]
            found.beside.append(_median(await other.creates(session, _SECONDS)))
            over = [call.cancel() for call in calls]
            await asyncio.gather(*calls, return_exceptions=True)
            assert all(over), "a call of many ended early"
            await asyncio.sleep(1)
    return found


def _median(times: Sequence[float]) -> float:
    return times[len(times) // 2]


async def _call(session: ClientSession, connection: int) -> None:
    """Send to a thousand recipients repeatedly until cancelled."""
    numbers = [f"+4478{connection}{n:06}9" for n in range(RECIPIENTS)]
    while True:
        await send_to(session, numbers)
