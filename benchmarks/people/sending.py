"""Calls to a thousand people, half of them new, on servers that take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import perf_counter

from aiohttp import ClientSession
from attrs import define, field

from ..bulk import send_to
from ..long_stores.seeding import Seeded
from ..machine import usage
from ..plan import Plan
from ..targets import Target

# A server that used less CPU time than this in such a time has done its work. A database that others use is
# never quiet, so there is a limit.
_QUIET_SECONDS, _LOOKED_SECONDS = 0.02, 0.3
_LOOKS = 30


@define
class Sender:
    """A server that sends; `seconds` and `cpu_seconds` are those of each counted call."""

    server: Target
    session: ClientSession
    seeded: Seeded | None
    seconds: list[float] = field(factory=list)
    cpu_seconds: list[float] = field(factory=list)


async def send_in_turns(plan: Plan, senders: Sequence[Sender], number: int) -> None:
    """Send one call on each server; call 0 is not counted."""
    for each in senders if number % 2 == 0 else reversed(senders):
        numbers = _numbers(plan, each.seeded, number)
        await settled(each.server)
        cpu, began = _cpu(each.server), perf_counter()
        await send_to(each.session, numbers)
        seconds = perf_counter() - began
        # What the call leaves to the worker is its work, too.
        await settled(each.server)
        if number:
            each.seconds.append(seconds)
            each.cpu_seconds.append(_cpu(each.server) - cpu)


async def settled(server: Target) -> None:
    """Wait until a server has no more work, for some seconds at most."""
    before = _cpu(server)
    for _ in range(_LOOKS):
        await asyncio.sleep(_LOOKED_SECONDS)
        now = _cpu(server)
        if now - before < _QUIET_SECONDS:
            return
        before = now


def _numbers(plan: Plan, seeded: Seeded | None, number: int) -> list[str]:
    """Return the recipients of one call, of whom none was sent to before."""
    half = plan.known_per_send
    # A store without people knows nobody: all of them are new.
    known = (
        [f"+4479{number:03}{each:04}9" for each in range(half)]
        if seeded is None
        else [seeded.number_of(number * half + each) for each in range(half)]
    )
    return [*known, *(f"+4478{number:03}{each:04}9" for each in range(half))]


def _cpu(server: Target) -> float:
    pids = (*server.pids, *([server.database] if server.database else ()))
    return sum(found.cpu_seconds for each in pids if (found := usage(each)))
