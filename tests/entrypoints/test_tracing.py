"""Spans: a request with its appends and sends, without personal data (the extra `otel`)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from tests.entrypoints.caller import DESTINATION, Caller
from tests.entrypoints.conftest import listening
from tests.fakes.providers import BlabbingProvider
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.tracing import Tracing

TRACE = "0af7651916cd43dd8448eb211c80319c"


@asynccontextmanager
async def traced(settings: Settings, spans: InMemorySpanExporter) -> AsyncIterator[Caller]:
    """Serve with spans."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    tracing = Tracing(provider.get_tracer("watchword"))
    async with (
        wired(settings, providers={"blabbing": BlabbingProvider()}, tracing=tracing) as service,
        listening(service, around=[tracing.middleware()]) as caller,
    ):
        yield caller


def within(parent: ReadableSpan, spans: Sequence[ReadableSpan]) -> list[str]:
    """Name the steps of a span, in order."""
    assert parent.context is not None
    mine = [each for each in spans if each.parent and each.parent.span_id == parent.context.span_id]
    return [each.name for each in sorted(mine, key=lambda each: each.start_time or 0)]


async def test_a_request_is_a_span_with_its_steps(settings: Settings) -> None:
    """A create is an append, a dispatch and an append; it goes on the caller's own trace."""
    spans = InMemorySpanExporter()
    async with traced(settings, spans) as caller:
        await caller.templates()
        spans.clear()
        headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
        body = {"destination": DESTINATION, "templateId": caller.template}
        reply = await caller.post("/v1/pins", body, headers=headers)
        finished = spans.get_finished_spans()
    (request,) = [each for each in finished if each.name == "POST /v1/pins"]

    assert ["append", "dispatch sms", "append"] == within(request, finished)
    assert TRACE == f"{request.context.trace_id:032x}"
    assert {
        "http.request.method": "POST",
        "http.route": "/v1/pins",
        "http.response.status_code": 201,
        "watchword.request_id": reply.headers["X-Request-Id"],
    } == request.attributes


async def test_a_failure_is_marked_and_not_quoted(settings: Settings) -> None:
    """Status and outcome say that it failed; no event of the span holds an error's text (C-31)."""
    spans = InMemorySpanExporter()
    async with traced(settings, spans) as caller:
        tea = await caller.with_template(await caller.channel("sms", {}, "blabbing"))
        spans.clear()
        await tea.create()
        finished = spans.get_finished_spans()
    (request,) = [each for each in finished if each.name == "POST /v1/pins"]
    (dispatch,) = [each for each in finished if each.name == "dispatch sms"]

    assert StatusCode.ERROR is request.status.status_code
    assert "failed" == (dispatch.attributes or {})["watchword.outcome"]
    assert DESTINATION not in "".join(each.to_json() for each in finished)
    assert [] == [event for each in finished for event in each.events]


@pytest.mark.parametrize("collector", [None, "http://127.0.0.1:9"])
def test_without_the_extra_everything_works(collector: str | None) -> None:
    """No module of the service needs OpenTelemetry; asking for spans names what is missing."""
    program = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "import asyncio, watchword\n"
        "import watchword.entrypoints.cli.commands.serve\n"
        "from watchword.entrypoints.serving.observing import spans\n"
        "async def main():\n"
        "    async with watchword.open('memory://', sandbox=True) as service, spans() as tracing:\n"
        "        await service.pins.issue('demo', 'tpl_demo', '+919812345611')\n"
        "        print('sent', tracing)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={} if collector is None else {"OTEL_EXPORTER_OTLP_ENDPOINT": collector},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "sent None\n" == done.stdout, done.stderr
    assert (collector is not None) == ("watchword[otel]" in done.stderr)
