"""What a running process shows of itself: the log, the metrics, the spans."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from ...adapters.log_lines import RENDERERS, logging_to
from ...adapters.logs import logger

if TYPE_CHECKING:
    from aiohttp.typedefs import Middleware

    from ...adapters.meters import Meters
    from ..http.listener.client_address import Network
    from ..tracing import Tracing

_COLLECTORS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_log = logger("watchword.service")


@frozen(kw_only=True)
class Observing:
    """What is shown of a running service."""

    log_level: str
    log_format: str | None
    access_log: bool = False
    metrics_port: int | None
    trusted_proxies: tuple[Network, ...] = ()

    @contextmanager
    def log(self, **facts: Any) -> Iterator[None]:
        """Log to stderr until the end of the block; facts stand in every line."""
        by_default = "text" if sys.stderr.isatty() else "json"
        render = RENDERERS[self.log_format or by_default]
        with logging_to(sys.stderr, self.log_level, render, facts=facts):
            yield

    def of_worker(self, number: int) -> Observing:
        """Give what worker number n shows: its metrics stand on the n-th port from that given."""
        port = self.metrics_port
        return evolve(self, metrics_port=port and port + number - 1)

    def meters(self) -> Meters | None:
        """Give what counts for the metrics; nothing, unless asked for."""
        if self.metrics_port is None:
            return None
        from ...adapters.meters import Meters

        return Meters()

    def around(self, meters: Meters | None, tracing: Tracing | None) -> Sequence[Middleware]:
        """Give the middlewares that look on from outside the edge: none, unless asked for."""
        around = [] if tracing is None else [tracing.middleware()]
        if meters is not None or self.access_log:
            from ..watching import access_line, measured, watching

            observers = [] if meters is None else [measured(meters)]
            if self.access_log:
                observers.append(access_line)
            around.append(watching(observers, self.trusted_proxies))
        return around


@asynccontextmanager
async def spans() -> AsyncIterator[Tracing | None]:
    """Send spans where OTEL_* variables name a collector, until the end of the block (D-27)."""
    if not any(os.environ.get(name) for name in _COLLECTORS):
        yield None
        return
    try:
        from ..tracing import Tracing, exporter
    except ImportError:
        _log.warning("spans_unavailable", hint="Install watchword[otel].")
        yield None
        return
    provider = exporter()
    try:
        yield Tracing(provider.get_tracer("watchword"))
    finally:
        await asyncio.to_thread(provider.shutdown)
