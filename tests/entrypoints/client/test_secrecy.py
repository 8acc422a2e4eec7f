"""The API key is in no repr, log, error or traceback; personal data is in no repr."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from tests.entrypoints.client.conftest import Opening, Pauses
from watchword.client import (
    AsyncClient,
    CallerContext,
    Client,
    SmsMessage,
    Upload,
    VerifiedPin,
    WatchwordError,
)
from watchword.entrypoints.client.data.pins import CreatePin, VerifyPin
from watchword.testing import FaultyHttp, HttpAnswer, HttpRequest

KEY = "wwk_kettle-canary-4711"
REFUSED = HttpAnswer.json({"error": {"code": "forbidden", "message": "No."}}, 403)
FAULTS = {
    "refused": REFUSED,
    "lost": HttpAnswer(cut_at=0),
    "cut": REFUSED.but(cut_at=60),
    "no http": HttpAnswer(headers={"Bad\x00": "x"}),
    "unreadable": HttpAnswer.text(KEY),
    "wrong members": HttpAnswer.json({"pinId": KEY}),
    "redirect": HttpAnswer.redirect("http://127.0.0.1:9/"),
    "silent": HttpAnswer.silence(),
    "length": HttpAnswer.json({}).but(length=1, headers={"X": "1"}),
}


def shown(error: BaseException) -> str:
    """Return all that a careless logger would write of an error: texts, causes, variables of each frame."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    seen = [error]
    while (earlier := seen[-1].__cause__ or seen[-1].__context__) is not None:
        seen.append(earlier)
    texts = [f"{each!r} {each} {vars(each)}" for each in seen]
    return "\n".join([*texts, *told.format(chain=True)])


CALLS: list[Callable[[AsyncClient], Any]] = [
    lambda client: client.pins.get("pin_1"),
    lambda client: client.pins.verify("pin_1", "123456"),
    lambda client: client.media.upload_for_whatsapp(Upload("t.png", b"tea")),
    lambda client: client.messages.send(
        sms=[SmsMessage(sender="T", recipient="+15550100", type="SI", message_body="Tea")]
    ),
]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("call", CALLS)
async def test_no_error_and_no_log_has_the_key(
    opening: Opening, fault: str, call: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever goes wrong, and with every logger at its most talkative."""
    caplog.set_level(logging.DEBUG)
    for name in ("httpx2", "httpcore2", "httpcore", "httpx", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    times = {"attempts": 1, "attempt_timeout": 1.0} if fault == "silent" else {"attempts": 2}
    async with (
        FaultyHttp(FAULTS[fault]) as web,
        opening(web.url, KEY, random=lambda: 0.0, **times) as client,
    ):
        with pytest.raises(WatchwordError) as refused:
            await call(client)

    assert KEY in str(web.requests[0].headers)
    assert KEY not in shown(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None
    assert KEY not in caplog.text
    assert KEY not in "".join(str(vars(each)) for each in caplog.records)


async def test_an_unreachable_service(opening: Opening) -> None:
    """No connection, and no key in the error."""
    async with FaultyHttp() as web:
        url = web.url
    async with opening(url, KEY, attempts=2, pauses=Pauses()) as client:
        with pytest.raises(WatchwordError) as refused:
            await client.pins.get("pin_1")

    assert KEY not in shown(refused.value)


async def test_a_cancelled_call() -> None:
    """Frames of a call that is cancelled have variables too."""
    came = asyncio.Event()

    def in_flight(request: HttpRequest) -> HttpAnswer:
        came.set()
        return HttpAnswer.silence()

    async with FaultyHttp(in_flight) as web, AsyncClient(web.url, KEY) as client:
        task = asyncio.create_task(client.pins.get("pin_1"))
        await came.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as cancelled:
            await task

    assert KEY not in shown(cancelled.value)


def test_reprs() -> None:
    """A client, its parts and its settings show no key; requests and answers show no personal data."""
    client = Client("https://tea.example/base", KEY)
    parts = [client, client.__dict__, vars(vars(client)["_connection"]), vars(client.pins)]
    calling = vars(client.pins)["_calling"]

    assert "Client('https://tea.example/base')" == repr(client)
    assert KEY not in repr([*parts, vars(calling), vars(calling)["_options"]])
    assert KEY not in repr(vars(calling)["_options"].api_key)
    personal = [
        CreatePin(
            destination="+15550100",
            template_id="tpl",
            reference_id="+15550100",
            context=CallerContext(ip="+15550100"),
        ),
        VerifyPin(pin="+15550100"),
        SmsMessage(sender="T", recipient="+15550100", type="SI", message_body="+15550100", ttl=60),
        VerifiedPin(pin_id="p", status="VERIFIED", attempts_remaining=3, receipt="+15550100"),
    ]
    assert "+15550100" not in repr(personal)
    assert "VerifyPin(pin=…)" == repr(personal[1])
    assert "ttl=60" in repr(personal[2])


@pytest.mark.parametrize(
    ("url", "key", "settings"),
    [
        ("ftp://tea.example", KEY, {}),
        ("tea.example", KEY, {}),
        ("https://", KEY, {}),
        ("https://asha:secret@tea.example", KEY, {}),
        ("https://tea.example?x=1", KEY, {}),
        ("https://tea.example#x", KEY, {}),
        ("https://tea.example:99999", KEY, {}),
        ("https://tea.example:tea", KEY, {}),
        ("https://tea..example", KEY, {}),
        ("https://[::1", KEY, {}),
        ("https://tea.example\n", KEY, {}),
        ("https://tea example", KEY, {}),
        ("https://tea.example", "", {}),
        ("https://tea.example", f"{KEY}\n", {}),
        ("https://tea.example", f"{KEY} tea", {}),
        ("https://tea.example", KEY, {"timeout": 0}),
        ("https://tea.example", KEY, {"timeout": float("nan")}),
        ("https://tea.example", KEY, {"attempt_timeout": 0}),
        ("https://tea.example", KEY, {"attempt_timeout": float("nan")}),
        ("https://tea.example", KEY, {"max_answer_bytes": 0}),
        ("https://tea.example", KEY, {"attempts": 0}),
        ("https://tea.example", KEY, {"attempts": float("nan")}),
        ("https://tea.example", KEY, {"max_answer_bytes": float("nan")}),
    ],
)
def test_settings_are_checked(url: str, key: str, settings: dict[str, Any]) -> None:
    """At once, and without the key in the error."""
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match=r"url|api_key|timeout|answer") as refused:
            kind(url, key, **settings)
        assert "secret" not in str(refused.value)
        assert KEY not in str(refused.value)


def test_a_call_needs_time() -> None:
    """A deadline of a call is checked as that of the client is."""
    with Client("https://tea.example", KEY) as client, pytest.raises(ValueError, match="timeout"):
        client.pins.get("pin_1", timeout=-1)


def run(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in an interpreter of its own."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_without_httpx2_the_extra_is_named() -> None:
    """The error says what to install."""
    done = run("import sys; sys.modules['httpx2'] = None; import watchword.client")

    assert "ImportError: watchword.client needs httpx2." in done.stderr
    assert "pip install 'watchword[client]'" in done.stderr


def test_the_client_loads_nothing_of_the_service() -> None:
    """It could be a distribution of its own (C-88)."""
    done = run(
        "import sys, watchword.client\n"
        "print(*sorted(name for name in sys.modules if name.startswith('watchword.')))\n"
        "print(*({'aiohttp', 'attrs', 'cattrs', 'sqlalchemy', 'eventsourcing'} & {*sys.modules}))\n"
    )
    names, foreign = done.stdout.splitlines()

    assert "watchword.client" in names.split()
    assert "" == foreign
    allowed = ("watchword.client", "watchword.entrypoints.client")
    loaded = {name for name in names.split() if not name.startswith(allowed)}
    assert {"watchword.entrypoints"} == loaded
