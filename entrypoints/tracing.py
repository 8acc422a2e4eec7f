"""
Spans for OpenTelemetry: a request, and in it its appends and its sends; the extra `otel`.

Attributes are names that the code closes, ids of ours and numbers: no destination, no path, no text
of an error, which could hold what a client sent (C-31, C-32).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import time_ns
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from attrs import frozen
from opentelemetry import propagate
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode, Tracer

from ..application.ports.channels import (
    Accepted,
    ChannelProvider,
    Message,
    Rejected,
    Report,
    Unknown,
)
from ..application.ports.event_store import Append, StoreUnavailable
from ..domain.channel import ChannelName
from ..domain.fallback_run import RevokeOutcome
from .http.edge import request_id_of
from .watching import method_of, route_of

# An exception's own text would be recorded otherwise.
_NO_TEXTS: Mapping[str, Any] = {"record_exception": False, "set_status_on_exception": False}
# Any other answer says nothing of what became of the message.
_OUTCOMES = {Accepted: "accepted", Rejected: "rejected", Unknown: "unknown"}


class Tracing:
    """Makes spans with one tracer; no provider of the whole process is set."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    def middleware(self) -> Middleware:
        """Make the outermost middleware, which begins where the caller's own trace left off."""
        tracer = self._tracer

        @web.middleware
        async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
            route, method = route_of(request), method_of(request)
            with tracer.start_as_current_span(
                f"{method} {route}",
                context=propagate.extract(request.headers),
                kind=SpanKind.SERVER,
                attributes={"http.request.method": method, "http.route": route},
                **_NO_TEXTS,
            ) as span:
                response = await handler(request)
                span.set_attribute("http.response.status_code", response.status)
                span.set_attribute("watchword.request_id", request_id_of(request))
                if response.status >= 500:
                    span.set_status(StatusCode.ERROR)
                return response

        return middleware

    def provider(self, inside: ChannelProvider) -> ChannelProvider:
        """Return a provider whose sends are spans."""
        return _TracedProvider(inside, self._tracer)

    def committed(self, append: Append, seconds: float, /) -> None:
        """Make the span of an append that has just ended."""
        ended = time_ns()
        span = self._tracer.start_span(
            "append",
            attributes={"watchword.events": _event_names(append)},
            start_time=ended - int(seconds * 1e9),
        )
        span.end(ended)

    def attempted(self, _: object, /) -> None:
        """Nothing is traced of it."""

    def available(self) -> None:
        """Nothing is traced of it."""

    def unavailable(self, _: StoreUnavailable, /) -> None:
        """Nothing is traced of it: the request's own span says that it failed."""


@frozen
class _TracedProvider:
    """A provider in spans."""

    inside: ChannelProvider
    tracer: Tracer

    @property
    def deduplicates(self) -> bool:
        """Whether a repeated reference is taken once."""
        return self.inside.deduplicates

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check the settings of a channel account."""
        return self.inside.check_config(config)

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Hand a message to the provider; the span is the current one meanwhile."""
        with self.tracer.start_as_current_span(
            f"dispatch {message.channel}",
            kind=SpanKind.CLIENT,
            attributes={
                "watchword.channel": str(message.channel),
                "watchword.channel_account": message.channel_account_id,
            },
            **_NO_TEXTS,
        ) as span:
            # What raises, a time-out included, ends with this.
            span.set_attribute("watchword.outcome", "failed")
            answer = await self.inside.send(config, message)
            span.set_attribute("watchword.outcome", _OUTCOMES.get(type(answer), "unknown"))
            return answer

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, provider_message_id: str
    ) -> RevokeOutcome:
        """Take a message back; the span is the current one meanwhile."""
        with self.tracer.start_as_current_span(
            f"revoke {channel}",
            kind=SpanKind.CLIENT,
            attributes={"watchword.channel": str(channel)},
            **_NO_TEXTS,
        ) as span:
            span.set_attribute("watchword.outcome", "failed")
            outcome = await self.inside.revoke(config, channel, provider_message_id)
            span.set_attribute("watchword.outcome", str(outcome))
            return outcome

    def can_revoke(self, channel: ChannelName) -> bool:
        """Whether a revoke is worth a try."""
        return self.inside.can_revoke(channel)

    def reports(
        self, config: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> Sequence[Report]:
        """Read what the provider reports."""
        return self.inside.reports(config, headers, body)


def exporter() -> TracerProvider:
    """Make what sends spans on as the OTEL_* variables say; whoever makes it shuts it down."""
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def _event_names(append: Append) -> list[str]:
    return [type(event).__name__ for change in append.changes for event in change.events]
