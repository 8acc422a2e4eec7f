"""Erasures over HTTP, of people with some history, each until its certificate says that it is finished."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from aiohttp import ClientSession

from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

from ..bulk import send_to
from ..long_stores.seeding import Seeded
from ..plan import Plan
from ..processes import StartError
from ..targets import Target
from .sending import settled

# Calls to each person, beside what was seeded, and one live PIN.
_MESSAGES = 3
_ADMIN = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}


async def erasures(
    plan: Plan, server: Target, session: ClientSession, seeded: Seeded
) -> list[float]:
    """Erase people one after the other; return the seconds of each."""
    numbers = [seeded.number_of(seeded.people - 1 - each) for each in range(plan.erased)]
    for _ in range(_MESSAGES):
        await send_to(session, numbers)
    for each in numbers:
        create = {"templateId": server.tenant.template_id, "destination": each}
        await _posted(session, "/v1/pins", create, server.tenant.key)
    await settled(server)
    found = []
    for each in numbers:
        began = perf_counter()
        certificate = await _posted(session, "/admin/v1/people/erase", {"destination": each})
        found.append(perf_counter() - began)
        counts = certificate["counts"]
        if not certificate["finished"] or counts["messages"] <= _MESSAGES or counts["pins"] < 1:
            raise StartError(f"An erasure was not finished, or not of somebody: {certificate}")
    return found


async def _posted(
    session: ClientSession, path: str, body: dict[str, str], key: str | None = None
) -> dict[str, Any]:
    headers = _ADMIN if key is None else {"Authorization": f"Bearer {key}"}
    async with session.post(path, json=body, headers=headers) as answer:
        answered: dict[str, Any] = await answer.json()
        return answered
