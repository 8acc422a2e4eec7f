"""
No piece of work holds the event loop longer than 20 ms, for any request (C-94).

The longest step of today takes 8 ms, so the limit is 15: a step that takes twice as long is found. A step's
time is the processor's on the loop's thread, so its waiting for a core does not count. A processor that is
slow, or shares its caches and its clock with others, still takes longer for the same work. A step over the
limit is therefore compared with a fixed piece of work that is timed beside it, and a machine on which this
takes longer than on a quiet one has as much more time for a step.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from pathlib import Path
from time import thread_time
from typing import Any

import pytest
from attrs import frozen

from tests.entrypoints.conftest import EXPOSED, listening
from tests.entrypoints.legacy.bodies import TEXT as LEGACY_TEXT
from tests.entrypoints.message_templates.creating_rcs import BOUNDARY, form, texts
from tests.entrypoints.message_templates.creating_rcs import TEXT as RCS_TEXT
from tests.entrypoints.message_templates.creating_whatsapp import TEXT as WA_TEXT
from tests.entrypoints.messaging.sends import FALLBACK, FALLBACK_SMS, SMS
from tests.entrypoints.openapi.described import Document, Operation
from tests.fakes.hashers import FakePasswordHasher
from tests.fakes.loops import WatchedLoop
from watchword.entrypoints.collector import collect_while_serving
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.demo.seeding import API_KEY, TEMPLATE_ID
from watchword.entrypoints.http.listener.large_posts import MAX_POST
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings

LONGEST = 0.015
# The fixed piece of work takes this long on the quiet machine that the limit is for.
PIECE = 0.0040
MEGABYTE = 1024 * 1024 - 64 * 1024
# A step that is too slow is slow each time; a single slow step may be a cold cache.
TRIES = 10

DOCUMENT = Document.read()
NUMBERS = [f"+4477{n:08}" for n in range(1_000, 2_000)]
URL = "https://tea.example/menu"
LINKS = [{"longUrl": f"{URL}{n:03}"} for n in range(100)]

Body = Mapping[str, Any]


def wa(text: str, **more: Any) -> Body:
    """Write one template message for as many as a call may have."""
    parameters = [{"type": "text", "text": each} for each in (text, "y" * 1_000)]
    template = {
        "name": "demo",
        "language": {"code": "en"},
        "components": [{"type": "body", "parameters": parameters}],
    }
    entry = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "sender": "+15550100",
        "recipient": NUMBERS,
        "type": "template",
        "template": template,
        **{f"custref{n}": "x" * 200 for n in range(1, 6)},
    }
    return {"wa": [entry], **more}


def session(kilobytes: int, recipients: int) -> Body:
    """Write one session message that weighs a lot."""
    (entry,) = wa("")["wa"]
    rest = {key: value for key, value in entry.items() if key != "template"}
    action = {"catalog_id": "tea", "sections": [{"title": f"{URL}000 " * (kilobytes * 36)}]}
    interactive = {"type": "product_list", "body": {"text": "Tea"}, "action": action}
    return {
        "wa": [
            {
                **rest,
                "recipient": NUMBERS[:recipients],
                "type": "interactive",
                "interactive": {**interactive, "header": {"type": "text", "text": "Tea"}},
            }
        ]
    }


def sms(text: str, count: int = 1_000) -> list[dict[str, Any]]:
    """Write as many SMS, each an object of its own."""
    return [{**SMS, "recipient": number, "messageBody": text} for number in NUMBERS[:count]]


OTP = {**FALLBACK, "sms": {**FALLBACK_SMS, "type": "OTP", "messageBody": f"Code: {URL}000 " * 50}}
SEND = Operation("post", "/oapi/send_sms")
ADDRESSES = " ".join(f"{URL}{n:03}" for n in range(30))
# The largest bodies of routes that do something with all of a body.
LARGEST: Mapping[Operation, tuple[Body, ...]] = {
    SEND: (
        wa("x" * 1_000),
        wa("x" * 1_000, fallback=OTP),
        wa(ADDRESSES[:1_000], urlShortener={"flag": 1, "urlDetails": LINKS[:1]}),
        wa(
            f"{URL}000 {URL}001",
            fallback=OTP,
            urlShortener={"flag": 1, "urlDetails": [{**LINKS[0], "track_user": 1}]},
        ),
        {"sms": sms("x" * 700), "fallback": OTP},
        {"sms": sms(ADDRESSES[:800]), "urlShortener": {"flag": 1, "urlDetails": LINKS[:20]}},
        session(31, 250),
        session(8, 1_000),
    ),
    Operation("post", "/opt/in/wa"): ({"recipients": NUMBERS},),
    Operation("post", "/opt/out/wa"): ({"recipients": NUMBERS},),
    Operation("delete", "/opt/out/wa"): ({"recipients": NUMBERS},),
    Operation("post", "/status"): ({"messageIds": [f"msg_{n:032}" for n in range(100)]},),
}
# The beginnings of bodies, so that more than their syntax is read.
RIGHT: Mapping[str, Body] = {
    "/v1/pins": {"destination": "+919812345610", "templateId": TEMPLATE_ID},
    "/oapi/send_sms": {"sms": sms("Tea", 1)},
    "/wa/templates": WA_TEXT,
    "/svc/api/message/send": LEGACY_TEXT,
}
# One of many objects, one of one text, one of many lists.
PADDING: Mapping[str, Any] = {
    "objects": [{} for _ in range(49_000)],
    "text": "x" * MEGABYTE,
    "lists": [["x"]] * 49_000,
}

SOME_LISTS = json.dumps([["x"]] * 20_000)


def piece() -> float:
    """Return how long this machine takes to read and write some lists: what the longest steps mostly do."""
    began = thread_time()
    json.dumps(json.loads(SOME_LISTS))
    return thread_time() - began


def bodies() -> Iterator[tuple[Operation, Body]]:
    """Name every operation that takes JSON, with bodies as large as may be."""
    for operation in DOCUMENT.operations:
        if DOCUMENT.takes_json(operation):
            yield from ((operation, body) for body in LARGEST.get(operation, ()))
            for padding in PADDING.values():
                yield operation, {**RIGHT.get(operation.path, {}), "padding": padding}


class Client:
    """Sends from a thread of its own, so that nothing of it is on the loop."""

    def __init__(self, port: int, hearing_path: str) -> None:
        self.hearing_path = hearing_path
        self._port = port
        self._asked = 0

    async def ask(self, operation: Operation, path: str, body: Body | bytes | None = None) -> int:
        """Send a request with JSON, or a form, and read its answer; return the status."""
        return await asyncio.to_thread(self._ask, operation.method.upper(), path, body)

    def _ask(self, method: str, path: str, body: Body | bytes | None) -> int:
        data, kind = body, f"multipart/form-data; boundary={BOUNDARY}"
        if not isinstance(data, bytes | None):
            # A megabyte takes 10 ms: on the loop this was its longest step, and the test's own.
            data, kind = json.dumps(data).encode(), "application/json"
        key = SANDBOX_ADMIN_TOKEN if path.startswith("/admin") else API_KEY
        self._asked += 1
        headers = {"Authorization": f"Bearer {key}", "apikey": API_KEY}
        # An id with the digits of a number is compared with the people of the call (C-100).
        headers["X-Request-Id"] = "call-919812345610"
        # The fingerprint of a body is work too.
        headers["Idempotency-Key"] = f"k-{self._asked}"
        if data is not None:
            headers["Content-Type"] = kind
        connection = HTTPConnection("127.0.0.1", self._port, timeout=180)
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Client]]:
    """Serve a sandbox on a loop that is watched, as `serve` has Python collect its garbage."""
    threshold = gc.get_threshold()
    # The test run's own handlers would write every line on the loop.
    logging.disable()
    folder = tmp_path_factory.mktemp("watched")
    with asyncio.Runner(loop_factory=WatchedLoop) as runner:
        serving = served(folder)
        client = runner.run(serving.__aenter__())
        collect_while_serving()
        yield runner, client
        gc.set_threshold(*threshold)
        logging.disable(logging.NOTSET)
        runner.run(serving.__aexit__(None, None, None))


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[Client]:
    """Serve with a store that contains the results of the largest calls."""
    store = f"sqlite:///{folder / 'store.db'}"
    settings = Settings(sandbox=True, store=store, data_dir=folder)
    async with (
        wired(settings, password_hasher=FakePasswordHasher()) as service,
        listening(service, EXPOSED) as caller,
    ):
        accounts = await caller.operated("GET", "/channel-accounts")
        hearing_path = f"/callbacks/{accounts['data'][0]['id']}"
        client = Client(caller.endpoint.make_url("").port or 0, hearing_path)
        assert 200 == await client.ask(SEND, SEND.path, wa("Tea", fallback=OTP))
        yield client


@frozen
class Held:
    """The longest step, in the best of some tries, and how long one may take on this machine."""

    seconds: float
    what: str
    allowed: float


def held_by(
    watched: tuple[asyncio.Runner, Client],
    operation: Operation,
    path: str,
    body: Body | bytes | None,
) -> Held:
    """Ask until no step is over the limit; after some tries the best of them counts, and the best piece."""
    runner, client = watched
    loop = runner.get_loop()
    assert isinstance(loop, WatchedLoop)
    longest: list[tuple[float, str]] = []
    pieces: list[float] = []
    for _ in range(TRIES):
        loop.held.clear()
        status = runner.run(client.ask(operation, path, body))
        assert status < 500
        longest.append(max(loop.held))
        if longest[-1][0] <= LONGEST:
            return Held(*longest[-1], LONGEST)
        pieces += [piece() for _ in range(3)]
    return Held(*min(longest), LONGEST * max(1.0, min(pieces) / PIECE))


@pytest.mark.parametrize(
    ("operation", "body"),
    tuple(bodies()),
    ids=lambda part: str(part) if isinstance(part, Operation) else "",
)
def test_no_body_holds_the_loop(
    watched: tuple[asyncio.Runner, Client], operation: Operation, body: Body
) -> None:
    """Every route that takes JSON, under its largest bodies."""
    held = held_by(watched, operation, re.sub(r"\{\w+\}", "id_0", operation.path), body)

    assert held.seconds <= held.allowed, held.what


@pytest.mark.parametrize("padding", PADDING)
def test_no_form_holds_the_loop(watched: tuple[asyncio.Runner, Client], padding: str) -> None:
    """The form that creates an RCS template, whose JSON is one of its texts."""
    create = Operation("post", "/rcs/templates")
    assert create in DOCUMENT.operations
    body = form(*texts({**RCS_TEXT, "padding": PADDING[padding]}))
    held = held_by(watched, create, create.path, body)

    assert held.seconds <= held.allowed, held.what


@pytest.mark.parametrize("text", [b"1", b"abcdefghij", b"a@"])
def test_no_post_of_a_provider_holds_the_loop(
    watched: tuple[asyncio.Runner, Client], text: bytes
) -> None:
    """Nobody has to sign a post for the service to read it, so anybody could send the largest."""
    path = watched[1].hearing_path
    held = held_by(watched, Operation("post", path), path, text * (MAX_POST // len(text)))

    assert held.seconds <= held.allowed, held.what


# Lists as long as they may be, after calls of a thousand; the others have few rows, or none.
PAGES = ("limit=1000", "pageSize=100&limit=100", "recipient=447700001000&limit=100")


@pytest.mark.parametrize(
    ("operation", "query"),
    [
        (operation, query)
        for operation in DOCUMENT.operations
        if operation.method == "get"
        for query in PAGES
    ],
    ids=str,
)
def test_no_page_holds_the_loop(
    watched: tuple[asyncio.Runner, Client], operation: Operation, query: str
) -> None:
    """Every route that only asks, with the longest pages."""
    path = re.sub(r"\{\w+\}", "id_0", operation.path)
    held = held_by(watched, operation, f"{path}?{query}", None)

    assert held.seconds <= held.allowed, held.what
