"""The pytest plugin, in a project of its own that has the wheel installed and nothing of this checkout."""

from __future__ import annotations

import re

import pytest

from tests.projects import SETTINGS, Project, passed, project_in

SYNC = """
import json
from urllib.request import Request, urlopen

import pytest
from watchword import BlockingService, PinIncorrectError

NUMBER = "+447700900010"


def post(url, key, body):
    headers = {"Authorization": f"Bearer {key}", "apikey": key, "Content-Type": "application/json"}
    with urlopen(Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def login(url, key, outbox):
    pin = post(f"{url}/v1/pins", key, {"destination": NUMBER, "templateId": "tpl_demo"})
    code = outbox.code_for(NUMBER)
    return post(f"{url}/v1/pins/{pin['pinId']}/verify", key, {"pin": code})


def test_an_app_that_calls_by_http(watchword_url, watchword_api_key, watchword_outbox):
    watchword_outbox.assert_nothing_sent()
    assert "VERIFIED" == login(watchword_url, watchword_api_key, watchword_outbox)["status"]
    assert "sms" == watchword_outbox.last_to("+44 7700 900010").channel
    watchword_outbox.assert_nothing_sent_to("+447700900011")
    watchword_outbox.clear()
    watchword_outbox.assert_nothing_sent()


def test_an_app_that_embeds_without_a_loop(watchword, watchword_clock, watchword_outbox):
    assert isinstance(watchword, BlockingService)
    issued = watchword.pins.issue("demo", "tpl_demo", NUMBER)
    with pytest.raises(PinIncorrectError):
        watchword.pins.verify("demo", issued.pin_id, "let me in")
    watchword_clock.advance(seconds=3)
    code = watchword_outbox.code_for(NUMBER)
    assert "VERIFIED" == watchword.pins.verify("demo", issued.pin_id, code).status


def test_one_sandbox_by_call_and_by_http(watchword, watchword_url, watchword_api_key, watchword_outbox):
    watchword.pin_templates.create("demo", "tea", [{"channel_type": "sms"}])
    assert "VERIFIED" == login(watchword_url, watchword_api_key, watchword_outbox)["status"]
    (pin,) = watchword.pins.list(account="demo").data
    assert NUMBER == pin.destination


def test_each_test_has_a_sandbox_of_its_own(watchword_outbox):
    watchword_outbox.assert_nothing_sent()


def test_time_is_moved(watchword_url, watchword_api_key, watchword_outbox, watchword_clock):
    started = watchword_clock.now()
    sms = {"sender": "Tea", "recipient": NUMBER, "type": "SI", "messageBody": "Tea is ready."}
    again = {key: value for key, value in sms.items() if key != "recipient"}
    body = {
        "sms": [sms],
        "fallback": {"fallback_id": "demo", "fallback": True, "waittime": "60", "sms": again},
    }
    post(f"{watchword_url}/oapi/send_sms", watchword_api_key, body)
    assert 1 == len(watchword_outbox.messages(NUMBER))
    assert 61 <= (watchword_clock.advance(minutes=1, seconds=1) - started).total_seconds() < 120
    assert 2 == len(watchword_outbox.messages(NUMBER))


def test_links_lead_to_the_sandbox(watchword_url, watchword_api_key, watchword_outbox):
    link = f"{watchword_url}/openapi.json"
    sms = {"sender": "Tea", "recipient": NUMBER, "type": "SI", "messageBody": f"Look: {link}"}
    shortener = {"flag": 1, "urlDetails": [{"longUrl": link}]}
    post(f"{watchword_url}/oapi/send_sms", watchword_api_key, {"sms": [sms], "urlShortener": shortener})
    short = watchword_outbox.last_to(NUMBER).text.removeprefix("Look: ")
    assert short.startswith(f"{watchword_url}/s/")
    with urlopen(short) as answer:
        assert answer.url == link
"""
ASYNC = """
import asyncio

import pytest
from watchword import PinExpiredError, Service

NUMBER = "+447700900010"


async def log_in(watchword, outbox):
    assert isinstance(watchword, Service)
    issued = await watchword.pins.issue("demo", "tpl_demo", NUMBER)
    return await watchword.pins.verify("demo", issued.pin_id, outbox.code_for(NUMBER))


{mark}
async def test_an_app_that_embeds(watchword, watchword_outbox):
    assert "VERIFIED" == (await log_in(watchword, watchword_outbox)).status


{mark}
async def test_a_code_expires(watchword, watchword_clock, watchword_outbox):
    issued = await watchword.pins.issue("demo", "tpl_demo", NUMBER)
    await watchword_clock.advance(hours=1)
    with pytest.raises(PinExpiredError):
        await watchword.pins.verify("demo", issued.pin_id, watchword_outbox.code_for(NUMBER))


{mark}
async def test_one_sandbox_by_call_and_by_http(watchword, watchword_url, watchword_outbox):
    host, port = watchword_url.removeprefix("http://").split(":")
    await watchword.pins.issue("demo", "tpl_demo", NUMBER)
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /sandbox/outbox HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n")
    assert watchword_outbox.code_for(NUMBER).encode() in await reader.read()
    writer.close()
    await writer.wait_closed()
"""
ON_LOOPS = """
import asyncio

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")
loops = set()


@pytest.mark.parametrize("number", [1, 2])
async def test_a_loop_of_several_tests(watchword, watchword_outbox, number):
    loops.add(asyncio.get_running_loop())
    watchword_outbox.assert_nothing_sent()
    await watchword.pins.issue("demo", "tpl_demo", "+447700900010")
    assert len(loops) == 1


@pytest.mark.asyncio(loop_scope="function")
async def test_a_loop_of_its_own(watchword, watchword_url):
    assert asyncio.get_running_loop() not in loops
    await watchword.pins.issue("demo", "tpl_demo", "+447700900010")
"""
ON_ANYIO = "import pytest\n\n\n@pytest.fixture\ndef anyio_backend():\n    return 'asyncio'\n"
OPTIONS = """
import pytest
import watchword as ww


class Printer(ww.ChannelProvider):
    def check_config(self, config):
        return config

    async def send(self, config, message):
        return ww.Accepted(message.reference)


@pytest.fixture
def watchword_options():
    return {"channels": {"printer": Printer()}, "public_url": "https://tea.example"}


@pytest.mark.asyncio
async def test_a_channel_of_ones_own(watchword):
    assert "printer" in {each.name for each in await watchword.channel_accounts.providers()}
"""
FAILING = """
import asyncio

import pytest

NUMBER = "+447700900010"


@pytest.mark.asyncio
async def test_the_wrong_number(watchword, watchword_outbox):
    for each in range(7):
        await watchword.pins.issue("demo", "tpl_demo", f"+44770090001{each}")
    watchword_outbox.code_for("+447700900020")


@pytest.mark.asyncio
async def test_a_message_too_many(watchword, watchword_outbox):
    await watchword.pins.issue("demo", "tpl_demo", NUMBER)
    watchword_outbox.assert_nothing_sent_to(NUMBER)


def test_nothing_at_all(watchword_outbox):
    watchword_outbox.last_to(NUMBER, "whatsapp")


def test_back_in_time(watchword_clock):
    watchword_clock.advance(minutes=-5)


async def test_nobody_runs_it(watchword):
    assert False, "not reached"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Make a project with the extra `testing`."""
    return project_in(tmp_path_factory.mktemp("project"))


def test_tests_of_every_kind_have_a_sandbox(project: Project) -> None:
    """Sync, under pytest-asyncio in strict mode on loops of each scope, and under anyio, in one run."""
    files = {
        "conftest.py": ON_ANYIO,
        "test_sync.py": SYNC,
        "test_asyncio.py": ASYNC.replace("{mark}", "@pytest.mark.asyncio"),
        "test_anyio.py": ASYNC.replace("{mark}", "@pytest.mark.anyio"),
        "test_loops.py": ON_LOOPS,
        "test_options.py": OPTIONS,
    }

    assert 6 + 3 + 3 + 3 + 1 == passed(project.run(files))


def test_async_tests_need_no_mark_in_auto_mode(project: Project) -> None:
    """The mode of pytest-asyncio is the project's choice."""
    assert 3 == passed(
        project.run({"test_auto.py": ASYNC.replace("{mark}", "")}, "--asyncio-mode=auto")
    )


def test_sync_tests_need_no_plugin_for_async_ones(project: Project) -> None:
    """Neither pytest-asyncio nor anyio is asked for."""
    settings = SETTINGS.replace("asyncio_default_fixture_loop_scope = function\n", "")
    without = ("-p", "no:asyncio", "-p", "no:anyio", "-c", "none.ini")

    assert 6 == passed(project.run({"test_sync.py": SYNC, "none.ini": settings}, *without))


def test_failures_say_what_was_sent_instead(project: Project) -> None:
    """They point at the line of the test, name the number, and show the newest messages in few lines."""
    status, said = project.run({"test_failing.py": FAILING})

    assert 1 == status
    assert "E       AssertionError: No code was sent to +447700900020. What was sent:\n" in said
    assert "E         … 2 older\n" in said
    assert re.search(r"E   +sms to \+447700900016: Your verification code is \d{6}\.\n", said)
    assert "E       AssertionError: 1 message went to +447700900010:\n" in said
    assert "Nothing was sent to +447700900010 by whatsapp. Nothing was sent at all." in said
    assert "A sandbox's clock moves forward alone. Say by how much: minutes=5." in said
    assert "Mark it with pytest.mark.asyncio or pytest.mark.anyio." in said
    assert "watchword_outbox = <outbox of 7 messages>" in said
    assert "outbox.py:" not in said


def test_a_project_that_uses_no_fixture_loads_nothing(project: Project) -> None:
    """Of the package, pytest loads the modules of the plugin's fixtures alone, and none of a library."""
    told = (
        "import sys\n\n\ndef pytest_unconfigure():\n"
        "    print(*sorted(each for each in sys.modules if each.startswith('watchword')))\n"
        "    print('libraries', *sorted({'aiohttp', 'attrs', 'sqlalchemy'} & {*sys.modules}))\n"
    )
    status, said = project.run(
        {"conftest.py": told, "test_one.py": "def test_one(): pass\n"}, "-p", "no:anyio", "-q"
    )
    lines = said.splitlines()

    assert 0 == status, said
    assert "libraries" in lines
    assert [
        "watchword",
        "watchword.entrypoints",
        "watchword.entrypoints.testing",
        "watchword.entrypoints.testing.fixtures",
        "watchword.entrypoints.testing.fixtures.on_asyncio",
    ] in [each.split() for each in lines]
