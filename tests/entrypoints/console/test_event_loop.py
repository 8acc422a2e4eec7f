"""No page holds the event loop longer than 20 ms, however much there is to show (C-94)."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from msgspec.structs import replace

from tests.entrypoints.conftest import EXPOSED, listening
from tests.entrypoints.http.test_event_loop import LONGEST, PIECE, TRIES, piece
from tests.fakes.hashers import FakePasswordHasher
from tests.fakes.loops import WatchedLoop
from watchword.application.caller import ADMIN, Caller
from watchword.application.journal import change
from watchword.domain.channel import Channel
from watchword.domain.decider import Decision
from watchword.domain.pin import PinReported, pin_decider
from watchword.domain.receipt import ReceiptStatus
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.console.mounting import console_routes
from watchword.entrypoints.demo.seeding import API_KEY, TEMPLATE_ID
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings
from watchword.entrypoints.wired import Wired
from watchword.testing import a_message

# As many as an outbox keeps, and as a provider may repeat a receipt.
MANY, AT_ONCE = 10_000, 1_000
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


class Browser:
    """A browser whose work is done in a thread of its own, so that nothing of it is on the loop."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))

    async def ask(self, path: str, data: bytes | None = None, **headers: str) -> str:
        """Return what is at a path; a status that is no success raises."""
        return await asyncio.to_thread(self._ask, path, data, headers)

    def _ask(self, path: str, data: bytes | None, headers: dict[str, str]) -> str:
        request = Request(f"{self._url}{path}", data, headers)  # noqa: S310  a listener of ours
        with self._opener.open(request, timeout=60) as answer:
            return str(answer.read().decode())


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[tuple[Browser, list[str]]]:
    """Serve a PIN with many receipts and a full outbox; yield the paths of pages that show them."""
    settings = Settings(sandbox=True, store=f"sqlite:///{folder / 'store.db'}", data_dir=folder)
    async with (
        wired(settings, password_hasher=FakePasswordHasher()) as service,
        listening(service, EXPOSED, console=console_routes(service)) as caller,
    ):
        browser = Browser(str(caller.endpoint.make_url("")))
        body = json.dumps({"destination": "+919812345610", "templateId": TEMPLATE_ID}).encode()
        key = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
        created = await browser.ask("/v1/pins", body, **key, **{"Idempotency-Key": "one"})
        pin = json.loads(created)["pinId"]
        await report(service, pin)
        await fill(service)
        login = await browser.ask("/console/login")
        csrf = re.search(r'name="csrf" value="([^"]+)"', login)
        assert csrf
        form = {"csrf": csrf[1], "token": SANDBOX_ADMIN_TOKEN, "next": ""}
        await browser.ask("/console/login", urlencode(form).encode())
        phone = re.search(r"/console/phones/\w{20}", await browser.ask("/console/phones"))
        assert phone
        story = f"/console/verifications/{pin}"
        paths = [story, f"{story}?version={MANY // 2}", "/console/phones", phone[0]]
        yield browser, [*paths, "/sandbox/outbox"]


async def report(service: Wired, pin: str) -> None:
    """Have a provider repeat a receipt."""
    by = Caller("", ADMIN, "req")
    for first in range(0, MANY, AT_ONCE):
        reports = tuple(
            PinReported(
                at=BEGAN + timedelta(seconds=first + number),
                issue=1,
                channel=Channel.SMS,
                status=ReceiptStatus.DELIVERED,
                reported_at=BEGAN,
            )
            for number in range(AT_ONCE)
        )
        loaded = await service.journal.load(pin_decider, pin)
        changed = change(pin_decider, pin, loaded, Decision(reports))
        await service.journal.write(by, BEGAN, changed)


async def fill(service: Wired) -> None:
    """Fill the outbox with messages to half as many phones."""
    assert service.sandbox is not None
    message = a_message()
    for number in range(MANY):
        # A number decides what the sandbox does, by its end.
        to = f"+4477{number % (MANY // 2):07}9"
        one = replace(message, destination=to, reference=f"msg_{number}")
        await service.sandbox.provider.send({}, one)


@pytest.fixture(scope="module")
def watched(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[asyncio.Runner, Browser, list[str]]]:
    """Serve on a loop that is watched."""
    # The test run's own handlers would write every line on the loop.
    logging.disable()
    with asyncio.Runner(loop_factory=WatchedLoop) as runner:
        serving = served(tmp_path_factory.mktemp("watched"))
        browser, paths = runner.run(serving.__aenter__())
        yield runner, browser, paths
        logging.disable(logging.NOTSET)
        runner.run(serving.__aexit__(None, None, None))


@pytest.mark.parametrize("page", range(5))
def test_no_page_holds_the_loop(
    watched: tuple[asyncio.Runner, Browser, list[str]], page: int
) -> None:
    """The story of a PIN with 10,000 receipts at its end and in its middle, full phones, a full outbox."""
    runner, browser, paths = watched
    longest, allowed = watching(runner, lambda: browser.ask(paths[page]))
    assert longest[0] <= allowed, longest


def watching(
    runner: asyncio.Runner, ask: Callable[[], Awaitable[object]]
) -> tuple[tuple[float, str], float]:
    """Ask, again if it took long; return the shortest of the longest steps, and how long it may be here."""
    loop = runner.get_loop()
    assert isinstance(loop, WatchedLoop)
    longest, pieces = [], [PIECE]

    async def asking() -> None:
        await ask()

    for _ in range(TRIES):
        loop.held.clear()
        runner.run(asking())
        longest.append(max(loop.held))
        if longest[-1][0] <= LONGEST:
            break
        pieces.append(piece())
    return min(longest), LONGEST * max(1.0, min(pieces[1:] or pieces) / PIECE)


def many(count: int, **each: object) -> str:
    """Return JSON with so many equal objects."""
    return json.dumps([each] * count, separators=(",", ":"))


# Paths of forms, and what is posted there besides the text of the session.
FORMS: Mapping[str, tuple[str, bytes]] = {
    "quoted": ("/console/templates/drafts/rcs", b"data=" + b"%41" * 340_000),
    "marked": (
        "/console/templates/drafts/whatsapp",
        urlencode(
            {"data": json.dumps({"components": [{"type": "BODY", "text": "*a* `b` " * 30_000}]})}
        ).encode(),
    ),
    "suggested": (
        "/console/templates/drafts/rcs",
        urlencode(
            {
                "data": '{"name":"t","type":"text_message","textMessageContent":"Tea","suggestions":'
                f"{many(6_000, suggestionType='reply', displayText='Tea', postback='t')}}}"
            }
        ).encode(),
    ),
    "translated": (
        "/console/templates/pin/draft?account=demo",
        urlencode(
            {
                f"channels[{number}].{name}": value
                for number in range(100)
                for name, value in (
                    ("channelType", "sms"),
                    ("contentText", f"{number} {{{{pin}}}} {'€' * 500}"),
                )
            }
        ).encode(),
    ),
    "priced": (
        "/console/channels/new?provider=sandbox",
        urlencode({"name": "x", "account": "demo", "prices": "x\n" * 15_000}).encode(),
    ),
    "following": (
        "/console/channels/new?provider=sandbox",
        urlencode({"name": "x", "account": "demo", "failover": ["cha_1"] * 1_900}, True).encode(),
    ),
    "unknown": ("/console/login", b"token=" + b"%41" * 340_000),
}


@pytest.mark.parametrize("named", FORMS)
def test_no_form_holds_the_loop(
    watched: tuple[asyncio.Runner, Browser, list[str]], named: str
) -> None:
    """Neither by its size, nor by how much there is to say about it; one is posted by nobody known."""
    runner, browser, _ = watched
    path, fields = FORMS[named]
    page = runner.run(browser.ask("/console/access/keys"))
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)
    assert csrf
    body = f"csrf={csrf[1]}&".encode() + fields

    async def post() -> None:
        # What is wrong with a form is the matter of other tests.
        with suppress(HTTPError):
            await browser.ask(path, body)

    longest, allowed = watching(runner, post)
    assert longest[0] <= allowed, longest
