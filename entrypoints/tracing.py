"""
OpenTelemetry spans of requests, with their appends and sends; needs the extra `otel`.

Attributes are names from fixed lists, our own ids, and numbers. No attribute is a destination, a path or
an error's text, which could hold a client's data (C-31, C-32).
"""

from __future__ import annotations

from collections.abc import Mapping
from time import time_ns
from typing import Any, cast

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
    SentMessage,
    Unknown,
)
from ..application.ports.event_store import Append, StoreUnavailable
from ..domain.channel import ChannelName
from ..domain.fallback_run import RevokeOutcome
from .http.request_ids import logged_id_of
from .request_outcomes import method_of, route_of

# Keeps the texts of exceptions out of spans.
_NO_TEXTS: Mapping[str, Any] = {"record_exception": False, "set_status_on_exception": False}
# Any other answer leaves the outcome unknown.
_OUTCOMES = {Accepted: "accepted", Rejected: "rejected", Unknown: "unknown"}


class Tracing:
    """Creates spans with one tracer, and sets no global tracer provider."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    def middleware(self) -> Middleware:
        """Return the outermost middleware, which continues the caller's trace."""
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
                span.set_attribute("watchword.request_id", logged_id_of(request))
                if response.status >= 500:
                    span.set_status(StatusCode.ERROR)
                return response

        return middleware

    def provider(self, inside: ChannelProvider) -> ChannelProvider:
        """Return a provider whose sends are spans."""
        return cast(ChannelProvider, _TracedProvider(inside, self._tracer))

    def committed(self, append: Append, seconds: float, /) -> None:
        """Create the span of an append that has just ended."""
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
        """Do nothing: the request's own span shows the failure."""


@frozen
class _TracedProvider:
    """A provider whose sends and revokes are spans; all else is its own."""

    inside: ChannelProvider
    tracer: Tracer

    def __getattr__(self, name: str) -> Any:
        """Return what else the provider has; the port grows without this class."""
        return getattr(self.inside, name)

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Send a message in a span."""
        with self.tracer.start_as_current_span(
            f"dispatch {message.channel}",
            kind=SpanKind.CLIENT,
            attributes={
                "watchword.channel": str(message.channel),
                "watchword.channel_account": message.channel_account_id,
            },
            **_NO_TEXTS,
        ) as span:
            # An exception, such as a time-out, leaves this value.
            span.set_attribute("watchword.outcome", "failed")
            answer = await self.inside.send(config, message)
            span.set_attribute("watchword.outcome", _OUTCOMES.get(type(answer), "unknown"))
            return answer

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, sent: SentMessage
    ) -> RevokeOutcome:
        """Revoke a message in a span."""
        with self.tracer.start_as_current_span(
            f"revoke {channel}",
            kind=SpanKind.CLIENT,
            attributes={"watchword.channel": str(channel)},
            **_NO_TEXTS,
        ) as span:
            span.set_attribute("watchword.outcome", "failed")
            outcome = await self.inside.revoke(config, channel, sent)
            span.set_attribute("watchword.outcome", str(outcome))
            return outcome


def exporter() -> TracerProvider:
    """Return a provider that exports spans as the OTEL_* variables say; the caller shuts it down."""
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def _event_names(append: Append) -> list[str]:
    return [type(event).__name__ for change in append.changes for event in change.events]
