"""How much of what the log has (C-105)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...wire.event_counts import LogStatistics
from ...wired import Wired
from ..operator_handlers import record_answer
from ..route import READ, About, Route


async def log_statistics(service: Wired, _: web.Request, by: Caller) -> web.Response:
    """Count the events of the log by name."""
    return record_answer(by, LogStatistics.of(await service.counting_events.count()))


LOG_STATISTICS_ROUTES = (Route("GET", "/admin/v1/log/stats", log_statistics, READ, About.STORE),)
