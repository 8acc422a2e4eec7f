"""The metrics for a scraper: exact numbers, bounded names, on a port of its own (C-1, C-32, T29)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession
from attrs import evolve

from tests.application.house import build_house
from tests.application.post_office import WAIT, fallback, falls_back, message, send, work
from tests.entrypoints.caller import Caller as Client
from tests.entrypoints.conftest import listening
from tests.entrypoints.http.hostile.raw_client import wire
from watchword.adapters.meters import Meters
from watchword.application.caller import ADMIN, Caller
from watchword.application.errors import UnavailableError
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.request_outcomes import Answered, measured, watching
from watchword.entrypoints.serving.metrics_listener import metrics_served
from watchword.entrypoints.settings import Settings

_SAMPLE = re.compile(r"^(watchword_\w+)(\{.*\})? (\S+)$", re.MULTILINE)
# How long something took, and since when it is counted, no script knows.
_MACHINES_OWN = ("_sum", "_created", "_bucket")


def counted(meters: Meters) -> dict[str, float]:
    """Return the samples that a script settles, without those that are zero."""
    return {
        name + labels: float(value)
        for name, labels, value in _SAMPLE.findall(meters.exposition().decode())
        if float(value) and not name.endswith(_MACHINES_OWN)
    }


def series(meters: Meters) -> list[str]:
    """Name every series there is."""
    return [line.rsplit(" ", 1)[0] for line in meters.exposition().decode().splitlines()]


@asynccontextmanager
async def measured_service(settings: Settings, meters: Meters) -> AsyncIterator[Client]:
    """Serve with metrics."""
    async with (
        wired(settings, meters=meters) as service,
        listening(service, around=[watching([measured(meters)])]) as caller,
    ):
        yield caller


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    """Keep everything in a file, whose commits are measured."""
    return f"sqlite:///{tmp_path / 'store.db'}"


async def test_a_session_is_counted_exactly(settings: Settings) -> None:
    """Requests by route, verdicts as answered, dispatches by channel and outcome, refused keys."""
    meters = Meters()
    async with measured_service(evolve(settings, provider_timeout=0.05), meters) as caller:
        before = counted(meters)
        pin = await caller.created()
        await caller.verify(pin, "nonsense")
        await caller.verify(pin, "nonsense")
        await caller.advance(4)
        await caller.verify(pin, await caller.code())
        await caller.verify(pin, "too late")
        late = await caller.created("+919812345611")
        await caller.advance(700)
        await caller.verify(late, "late")
        await caller.verify(late, "late again")
        await caller.create("+9198120001")
        await caller.create("+9198120004", channels=["whatsapp"])
        await caller.using("ww_nobody").templates()
        await caller.using(None).operate("GET", "/accounts")
        await caller.using("none").ask("GET", "/admin/v1/accounts")
        await caller.get("/nowhere")
        await caller.ask("PROPFIND", "/v1/pins")
        await caller.get("/v1/pins")
        after = await settled(meters)
    commits = after.pop("watchword_commit_seconds_count")
    assert commits == after.pop("watchword_commit_appends_count")
    assert commits <= after.pop("watchword_append_seconds_count")

    assert {
        request("/v1/pins", "POST", "2xx"): 2,
        request("/v1/pins", "POST", "5xx"): 2,
        request("/v1/pins/{pinId}/verify", "POST", "2xx"): 1,
        request("/v1/pins/{pinId}/verify", "POST", "4xx"): 5,
        request("/v1/templates", "GET", "4xx"): 1,
        request("/admin/v1/accounts", "GET", "2xx"): 1,
        request("/admin/v1/accounts", "GET", "4xx"): 1,
        request("/sandbox/outbox", "GET", "2xx"): 1,
        request("/sandbox/clock/advance", "POST", "2xx"): 2,
        request("unknown", "GET", "4xx"): 2,
        request("unknown", "unknown", "4xx"): 1,
        'watchword_verdicts_total{verdict="verified"}': 1,
        'watchword_verdicts_total{verdict="failed"}': 1,
        'watchword_verdicts_total{verdict="rate_limited"}': 1,
        'watchword_verdicts_total{verdict="expired"}': 2,
        'watchword_pins_total{event="issued"}': 4,
        'watchword_pins_total{event="verified"}': 1,
        'watchword_dispatches_total{channel="sms",outcome="accepted"}': 2,
        'watchword_dispatches_total{channel="sms",outcome="rejected"}': 1,
        'watchword_dispatches_total{channel="whatsapp",outcome="unknown"}': 1,
        "watchword_authentication_failures_total": 2,
    } == {name: value for name, value in after.items() if value != before.get(name)}


async def test_messages_and_their_runs_are_counted() -> None:
    """Each dispatch by channel and outcome, a step's too, and the ends of the runs."""
    meters = Meters()
    house = await build_house(observers=[meters])
    await falls_back(house)
    await send(house, message(), message(), fallback=fallback())
    house.clock.move(WAIT)
    await work(house)

    assert {
        'watchword_dispatches_total{channel="sms",outcome="accepted"}': 4,
        'watchword_fallback_runs_total{event="armed"}': 2,
        'watchword_fallback_runs_total{event="triggered"}': 2,
        'watchword_fallback_runs_total{event="fired"}': 2,
    } == {name: value for name, value in counted(meters).items() if name.endswith("}")}


async def settled(meters: Meters) -> dict[str, float]:
    """Return the counts once the worker's last append is told, which a commit is counted before."""
    async with asyncio.timeout(5):
        while True:
            found = counted(meters)
            if found["watchword_commit_seconds_count"] <= found["watchword_append_seconds_count"]:
                return found
            await asyncio.sleep(0.01)


def request(route: str, method: str, status: str) -> str:
    """Name the series that counts some requests."""
    return f'watchword_request_seconds_count{{method="{method}",route="{route}",status="{status}"}}'


async def test_a_block_is_a_verdict(settings: Settings) -> None:
    """The guess that blocks and the ones after it are answered, and counted, as blocked."""
    meters = Meters()
    async with measured_service(settings, meters) as caller:
        tea = await caller.with_template(pinAttempts=1, verifyPinLimit="100/1s")
        pin = await tea.created()
        for _ in range(4):
            await tea.verify(pin, "nonsense")
        found = counted(meters)

    assert 1 == found['watchword_verdicts_total{verdict="failed"}']
    assert 3 == found['watchword_verdicts_total{verdict="blocked"}']


def test_a_refused_key_counts_whatever_its_status() -> None:
    """Areas that answer 200 to a bad key (C-8) do not hide it: the refusal counts, not the status."""
    meters = Meters()
    measured(meters)(
        Answered("/oapi/wa/mediaupload", "POST", 200, "unauthorized", 0.001, "req_1", None)
    )

    assert 1 == counted(meters)["watchword_authentication_failures_total"]


async def test_names_do_not_grow_with_what_clients_send(settings: Settings) -> None:
    """A thousand paths, ids, references and destinations add no series, and are in none."""
    meters = Meters()
    async with measured_service(settings, meters) as caller:
        tea, few = await caller.with_template(), asyncio.Semaphore(20)

        async def ask(number: int) -> None:
            async with few:
                await caller.get(f"/canary-{number}")
                await caller.post(f"/v1/pins/canary-{number}/canary-{number}")
                await caller.verify(f"canary-{number}", "nonsense")
                await tea.create(f"canary-{number}@example.org", referenceId=f"canary-{number}")

        await ask(0)
        before = series(meters)
        await asyncio.gather(*map(ask, range(1, 1001)))
        after = series(meters)

    assert before == after
    assert not [name for name in after if "canary" in name.lower()]


async def test_a_stores_failures_are_counted() -> None:
    """Each read and write that the store could not do."""
    meters = Meters()
    house = await build_house(observers=[meters])
    house.store.reachable = False
    for _ in range(3):
        with pytest.raises(UnavailableError):
            await house.issue()

    assert 3 == counted(meters)["watchword_store_failures_total"]


async def test_what_waits_for_its_commit_is_seen(settings: Settings) -> None:
    """The queue of appends is looked up whenever the metrics are read."""
    meters = Meters()
    async with wired(settings, meters=meters) as service:
        by = Caller("", ADMIN, "req_1")
        writes = [service.journal.write(by, service.clock.now()) for _ in range(3)]
        waiting = asyncio.gather(*writes)
        await asyncio.sleep(0)
        meanwhile = counted(meters)
        await waiting

    assert 3 == meanwhile["watchword_appends_waiting"]
    assert "watchword_appends_waiting" not in counted(meters)


async def test_the_listener_answers_nothing_else() -> None:
    """On its own port: `/metrics` in Prometheus' form, with the process's own; all else is 404."""
    async with metrics_served(Meters(), "127.0.0.1", 0) as port, ClientSession() as session:
        base = f"http://127.0.0.1:{port}"
        answer = await session.get(f"{base}/metrics")
        text = await answer.text()
        others = [
            (await session.get(base + path)).status
            for path in ("/", "/v1/templates", "/health/live", "/admin/v1/accounts")
        ]
        posted = await session.post(f"{base}/metrics", data=b"x")

    assert (200, "text/plain") == (answer.status, answer.content_type)
    assert "process_resident_memory_bytes" in text
    assert "watchword_appends_waiting 0.0" in text
    assert [404] * 4 == others
    assert 405 == posted.status


async def test_the_listener_takes_few_connections() -> None:
    """Held connections take no file descriptors from the service's clients."""
    async with metrics_served(Meters(), "127.0.0.1", 0) as port, AsyncExitStack() as stack:
        for _ in range(32):
            await stack.enter_async_context(wire(port))
        async with wire(port) as another:
            answer = await another.answer()

    assert (503, "unavailable") == answer.error


async def test_the_service_itself_shows_no_metrics(caller: Client) -> None:
    """They are not on the port that clients reach (T29)."""
    assert 404 == (await caller.get("/metrics")).status


async def test_two_services_count_apart(settings: Settings, tmp_path: Path) -> None:
    """Nothing is shared by the services of one process."""
    first, second = Meters(), Meters()
    other = evolve(settings, store=f"sqlite:///{tmp_path / 'other.db'}")
    async with measured_service(settings, first) as caller, measured_service(other, second):
        await caller.created()

    dispatches = 'watchword_dispatches_total{channel="sms",outcome="accepted"}'
    assert (1, False) == (counted(first)[dispatches], dispatches in counted(second))
