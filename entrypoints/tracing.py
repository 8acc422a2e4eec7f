"""
OpenTelemetry spans of requests, with their appends and sends; needs the extra `otel`.

Attributes are names from fixed lists, our own ids, and numbers. No attribute is a destination, a path or
an error's text, which could hold a client's data (C-31, C-32).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
    Connected,
    Context,
    Heard,
    Message,
    Post,
    Rejected,
    Report,
    SentMessage,
    Setting,
    Submitted,
    TemplateReview,
    Unknown,
    Webhook,
)
from ..application.ports.event_store import Append, StoreUnavailable
from ..domain.channel import ChannelName
from ..domain.fallback_run import RevokeOutcome
from ..domain.whatsapp_template import TemplateDefinition
from .http.edge import request_id_of
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
                span.set_attribute("watchword.request_id", request_id_of(request))
                if response.status >= 500:
                    span.set_status(StatusCode.ERROR)
                return response

        return middleware

    def provider(self, inside: ChannelProvider) -> ChannelProvider:
        """Return a provider whose sends are spans."""
        return _TracedProvider(inside, self._tracer)

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
    """A provider whose sends and revokes are spans."""

    inside: ChannelProvider
    tracer: Tracer

    @property
    def settings(self) -> Sequence[Setting]:
        """The settings that the provider declares."""
        return self.inside.settings

    @property
    def channels(self) -> Collection[ChannelName] | None:
        """The channels that the provider serves."""
        return self.inside.channels

    @property
    def deduplicates(self) -> bool:
        """Whether the provider accepts a repeated reference only once."""
        return self.inside.deduplicates

    @property
    def signing_setting(self) -> str | None:
        """The secret setting that checks posts."""
        return self.inside.signing_setting

    def can_revoke(self, channel: ChannelName) -> bool:
        """Return whether the provider can revoke messages on a channel."""
        return self.inside.can_revoke(channel)

    def submits_templates(self, config: Mapping[str, Any]) -> bool:
        """Return whether the provider submits templates."""
        return self.inside.submits_templates(config)

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check the settings of a channel account."""
        return self.inside.check_config(config)

    def callback_query(self, config: Mapping[str, Any]) -> str:
        """Return the secret query of posts."""
        return self.inside.callback_query(config)

    async def open(self, context: Context) -> None:
        """Open the provider."""
        await self.inside.open(context)

    async def listen(self) -> None:
        """Hold the provider's own connections."""
        await self.inside.listen()

    async def close(self) -> None:
        """Close the provider."""
        await self.inside.close()

    async def probe(self, config: Mapping[str, Any]) -> Connected | Rejected | Unknown | None:
        """Log in to the provider."""
        return await self.inside.probe(config)

    async def reaches(self, config: Mapping[str, Any], destination: str) -> str | None:
        """Return whether the provider reaches a recipient."""
        return await self.inside.reaches(config, destination)

    async def submit_template(
        self, config: Mapping[str, Any], template: TemplateDefinition
    ) -> Submitted | Rejected | Unknown:
        """Submit a template."""
        return await self.inside.submit_template(config, template)

    async def template_states(
        self, config: Mapping[str, Any]
    ) -> Sequence[TemplateReview] | Rejected | Unknown:
        """Look up the decisions on templates."""
        return await self.inside.template_states(config)

    async def set_webhook(
        self, config: Mapping[str, Any], url: str
    ) -> Webhook | Rejected | Unknown:
        """Have the provider post to an address."""
        return await self.inside.set_webhook(config, url)

    async def hear(self, config: Mapping[str, Any], post: Post) -> Heard:
        """Read a post of the provider."""
        return await self.inside.hear(config, post)

    def reports(
        self, config: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> Sequence[Report]:
        """Read the provider's reports."""
        return self.inside.reports(config, headers, body)

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
