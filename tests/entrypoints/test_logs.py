"""Log lines of a request: none if it succeeds, else its id in every line."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp.typedefs import Middleware

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.fakes.hashers import FailingHasher
from tests.fakes.providers import BlabbingProvider
from tests.vaults import KEYRING
from watchword.adapters.hashing import PasslibCodeHasher
from watchword.adapters.log_lines import RENDERERS, logging_to
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.request_outcomes import access_line, watching
from watchword.entrypoints.settings import Settings

FORGED = 'x\n{"event": "forged"}'


class Log(list[dict[str, Any]]):
    """The lines of our own loggers, once the service is closed."""


@asynccontextmanager
async def logged(
    settings: Settings,
    log: Log,
    level: str = "info",
    around: Sequence[Middleware] = (),
    **ports: Any,
) -> AsyncIterator[Caller]:
    """Serve, and read the log at the end; every line must be JSON."""
    stream = io.StringIO()
    with logging_to(stream, level, RENDERERS["json"]):
        async with wired(settings, **ports) as service, listening(service, around=around) as caller:
            yield caller
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    # The server of the tests has an access log of its own, and the machine's disk may be busy.
    ours = [line for line in lines if line["logger"].startswith("watchword.")]
    log += [line for line in ours if line["event"] != "slow_commit"]


def told(log: Log) -> list[str]:
    """Name the events of a log, without beginning and end."""
    return [line["event"] for line in log if line["logger"] != "watchword.service"]


async def test_what_goes_well_is_not_logged(settings: Settings) -> None:
    """A service says that it has started and stopped; requests cost it no line."""
    log = Log()
    async with logged(settings, log) as caller:
        pin = await caller.created()
        await caller.verify(pin, await caller.code())

    assert ["started", "stopped"] == [line["event"] for line in log]
    assert {"version", "store", "key_versions", "sandbox"} < log[0].keys()
    assert [1] == log[0]["key_versions"]


async def test_every_line_of_a_request_has_its_id(settings: Settings) -> None:
    """Lines of the edge, the store's observer and the access log have it."""
    log = Log()
    access = [watching([access_line])]
    providers = {"blabbing": BlabbingProvider()}
    async with logged(settings, log, around=access, providers=providers) as caller:
        tea = await caller.with_template(await caller.channel("sms", {}, "blabbing"))
        body = {"destination": "+919812345610", "templateId": tea.template}
        await tea.post("/v1/pins", body, headers={"X-Request-Id": "order-7"})
        await tea.using("ww_nobody").ask(
            "GET", "/v1/templates", headers={"X-Request-Id": "order-8"}
        )
    mine = [(line["event"], line["request_id"]) for line in log if "order" in str(line)]

    assert [
        ("adapter_failed", "order-7"),
        ("dispatch_unknown", "order-7"),
        ("answered", "order-7"),
        ("authentication_failed", "order-8"),
        ("answered", "order-8"),
    ] == mine


async def test_a_failure_names_kind_place_and_request(settings: Settings) -> None:
    """The answer's requestId finds the line; the text of the error is in neither."""
    log, hasher = Log(), FailingHasher(PasslibCodeHasher(KEYRING), failing=True)
    async with logged(settings, log, hasher=hasher) as caller:
        reply = await caller.create()
    (code,) = hasher.given

    (line,) = [line for line in log if line["event"] == "request_failed"]
    assert (500, reply.json["error"]["requestId"]) == (reply.status, line["request_id"])
    assert "LookupError" == line["error"]
    assert "hashers.py" in line["trace"]
    assert f"no hash of {code}" not in str(log)


async def test_nothing_of_a_client_forges_a_line(settings: Settings) -> None:
    """Attack strings in path, query, header, key and body leave no line of their own."""
    log = Log()
    async with logged(settings, log, "debug", [watching([access_line])]) as caller:
        quoted = "%0A%7B%22event%22:%22forged%22%7D"
        await caller.get(f"/{quoted}?{quoted}")
        await caller.get(f"/v1/pins/{quoted}")
        await caller.verify(quoted, FORGED)
        await caller.create(FORGED, referenceId=FORGED)
        await caller.create("+919812340001", referenceId='7{"event": "forged"}')
        for header in ("X-Request-Id", "Authorization", "Idempotency-Key"):
            await caller.ask("GET", "/v1/templates", headers={header: 'x{"event": "forged"}'})

    assert "forged" not in {line["event"] for line in log}
    assert {"answered", "dispatch_rejected", "authentication_failed"} == set(told(log))


async def test_the_access_log_names_templates(settings: Settings) -> None:
    """A path may hold anything, a recipient's number too: the route's template stands for it."""
    log = Log()
    async with logged(settings, log, around=[watching([access_line])]) as caller:
        await caller.verify("+919812345610", "nonsense")
        await caller.get("/+919812345610")
        await caller.operate("GET", "/verifications?destination=%2B919812345610")
    seen = [
        (line["method"], line["route"], line["status"], line["refusal"])
        for line in log
        if line["event"] == "answered"
    ]

    assert [
        ("POST", "/v1/pins/{pinId}/verify", 404, "pin_not_found"),
        ("GET", "unknown", 404, "not_found"),
        ("GET", "/admin/v1/verifications", 200, None),
    ] == seen
    assert "9812345610" not in str(log)
