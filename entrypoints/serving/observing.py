"""The log, the metrics and the spans of a running process."""

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
    """The settings of the log and the metrics."""

    log_level: str
    log_format: str | None
    access_log: bool = False
    metrics_port: int | None
    trusted_proxies: tuple[Network, ...] = ()

    @contextmanager
    def log(self, **facts: Any) -> Iterator[None]:
        """Log to stderr until the end of the block; every line has the `facts`."""
        by_default = "text" if sys.stderr.isatty() else "json"
        render = RENDERERS[self.log_format or by_default]
        with logging_to(sys.stderr, self.log_level, render, facts=facts):
            yield

    def of_worker(self, number: int) -> Observing:
        """Return the settings of worker number n: its metrics are on the n-th port from the first."""
        port = self.metrics_port
        return evolve(self, metrics_port=port and port + number - 1)

    def meters(self) -> Meters | None:
        """Return the meters, or None if there is no metrics port."""
        if self.metrics_port is None:
            return None
        from ...adapters.meters import Meters

        return Meters()

    def around(self, meters: Meters | None, tracing: Tracing | None) -> Sequence[Middleware]:
        """Return the middlewares that observe requests from outside the edge."""
        around = [] if tracing is None else [tracing.middleware()]
        if meters is not None or self.access_log:
            from ..request_outcomes import access_line, measured, watching

            observers = [] if meters is None else [measured(meters)]
            if self.access_log:
                observers.append(access_line)
            around.append(watching(observers, self.trusted_proxies))
        return around


@asynccontextmanager
async def spans() -> AsyncIterator[Tracing | None]:
    """Send spans until the end of the block, if OTEL_* variables name a collector (D-27)."""
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
