"""A flood of creates that the guard refuses, beside the creates of another account (D-573)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from aiohttp import ClientSession
from attrs import define, field

from .neighbour import ADMIN, Neighbour, neighbour, served
from .plan import Plan

FLOOD_CONNECTIONS = 16
_SECONDS = 5.0
_MANY = 100_000_000


@define
class AttackFound:
    """The 99th percentile of another account's creates, in seconds, for each round."""

    alone: list[float] = field(factory=list)
    let_through: list[float] = field(factory=list)
    refused: list[float] = field(factory=list)

    @property
    def to_alone(self) -> list[float]:
        """Return how many times as long creates take beside a refused flood as without one."""
        return [b / a for a, b in zip(self.alone, self.refused, strict=True)]

    @property
    def to_let_through(self) -> list[float]:
        """Return how many times as long they take as beside a flood that nothing refuses."""
        return [b / a for a, b in zip(self.let_through, self.refused, strict=True)]


async def measure_attack(
    plan: Plan, directory: Path, advance: Callable[[str], None]
) -> AttackFound:
    """Measure an attack on one prefix on a separate server; `advance` gets the name of each round."""
    found = AttackFound()
    numbers = count()
    async with served(directory, "attack") as session:
        attacked, other = await neighbour(session, "attacked"), await neighbour(session)
        await other.creates(session, _SECONDS / 3)
        for number in range(plan.rounds):
            advance(f"attack: round {number + 1} of {plan.rounds}")
            found.alone.append(_last_percent(await other.creates(session, _SECONDS)))
            for limit, status, times in ((_MANY, 201, found.let_through), (1, 429, found.refused)):
                await _enforce(session, attacked, limit)
                flood = [
                    asyncio.create_task(_flood(session, attacked, numbers, status))
                    for _ in range(FLOOD_CONNECTIONS)
                ]
                times.append(_last_percent(await other.creates(session, _SECONDS)))
                over = [each.cancel() for each in flood]
                await asyncio.gather(*flood, return_exceptions=True)
                assert all(over), "the flood ended early"
    return found


def _last_percent(times: Sequence[float]) -> float:
    return times[len(times) * 99 // 100]


async def _enforce(session: ClientSession, attacked: Neighbour, limit: int) -> None:
    """Set the limit of unverified sends to one prefix in an hour, and use one of them up."""
    policy = {"unverified": {"prefix": {"mode": "enforce", "limit": f"{limit}/1h"}}}
    url = f"/admin/v1/guard?account={attacked.account}"
    async with session.put(url, json=policy, headers=ADMIN) as answer:
        answer.raise_for_status()
    await attacked.create(session, _number(0))


async def _flood(
    session: ClientSession, attacked: Neighbour, numbers: Iterator[int], expected: int
) -> None:
    """Create PINs for one prefix until cancelled."""
    while True:
        status = await attacked.create(session, _number(next(numbers)))
        assert status == expected, status


def _number(last: int) -> str:
    # No ending that makes the sandbox reject the message or stay silent.
    return f"+44790012{last % 1000:03}9"
