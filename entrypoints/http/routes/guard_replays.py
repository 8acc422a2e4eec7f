"""A guard policy, replayed over the recorded sends of an account (C-78)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.guard.replay_figures import ReplayReport
from ...wire.codec import unstructure
from ...wire.guard_replays import GuardReplay, read_replay
from ...wired import Wired
from ..lines import accepts_lines, lines_answer
from ..operator_handlers import acting_for, record_answer
from ..requests import json_read
from ..route import READ, About, Route


async def replay_policy(service: Wired, request: web.Request, by: Caller) -> web.StreamResponse:
    """
    Replay a policy; nothing is written.

    A client that accepts lines first gets lines that say how far the replay is.
    """
    # A misspelt rule would be replayed with its default.
    _, asked = await json_read(request, read_replay, whole=True)
    owner = await acting_for(service, by, asked.account)
    until = asked.until or service.clock.now()
    wanted = owner.account_id, asked.policy.policy, asked.since, until
    if not accepts_lines(request):
        report = await service.replaying_policies.report(*wanted)
        return record_answer(by, GuardReplay.of(report))
    async with aclosing(service.replaying_policies.replay(*wanted)) as replay:
        return await lines_answer(request, by, _lines(replay))


async def _lines(replay: AsyncIterator[float | ReplayReport]) -> AsyncIterator[dict[str, Any]]:
    shown = -1
    async for each in replay:
        if isinstance(each, ReplayReport):
            yield unstructure(GuardReplay.of(each))
        elif (percent := int(100 * each)) > shown:
            shown = percent
            yield {"progress": percent}


GUARD_REPLAY_ROUTES = (Route("POST", "/admin/v1/guard/replay", replay_policy, READ, About.ACCOUNT),)
