"""Whatever goes wrong on the way to a page is a page, too (C-85)."""

from __future__ import annotations

import io
import json

import pytest
from aiohttp import ClientSession, CookieJar

from tests.entrypoints.conftest import listening
from tests.entrypoints.console.visitor import Visitor
from tests.fakes.hashers import FakePasswordHasher
from watchword.adapters.log_lines import RENDERERS, logging_to
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.console.mounting import console_routes
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings

pytestmark = pytest.mark.stores("memory")
USER = {"account": "demo", "email": "asha@tea.example", "password": "a tea"}


class FailingPasswordHasher(FakePasswordHasher):
    """Fails with an error that contains the password."""

    async def hash(self, password: str) -> str:
        """Fail."""
        raise LookupError(f"no hash of {password}")


async def test_an_unexpected_error_is_a_page(settings: Settings) -> None:
    """It says 500 and the request's id, by which its line of the log is found, and not what failed."""
    log = io.StringIO()
    with logging_to(log, "info", RENDERERS["json"]):
        async with (
            wired(settings, password_hasher=FailingPasswordHasher()) as service,
            listening(service, console=console_routes(service)) as caller,
            ClientSession(cookie_jar=CookieJar(unsafe=True)) as session,
        ):
            visitor = Visitor(session, caller.endpoint)
            await visitor.sign_in(SANDBOX_ADMIN_TOKEN)
            page = await visitor.post("/access/users/new", USER)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    (failed,) = [line for line in lines if line["event"] == "request_failed"]

    assert (500, "This is not possible") == (page.status, page.heading)
    assert failed["request_id"] in page.text
    assert "LookupError" == failed["error"]
    assert "a tea" not in page.html + log.getvalue()
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]


async def test_what_is_no_form_is_refused_as_ever(console: Visitor) -> None:
    """A refusal of the edge, such as 415, stays as it is."""
    url = console.endpoint.make_url("/console/login")
    async with console.session.post(url, json={"token": "x"}) as answer:
        assert 415 == answer.status


async def test_only_long_forms_may_be_long(console: Visitor) -> None:
    """A form of a few fields is 413 above 64 KiB, that of the log-in above 16 KiB; a template's is read."""
    await console.get("")
    for path, size in (("/callbacks/new", 64), ("/login", 16), ("/logout", 16)):
        assert (await console.post(path, {"url": "x" * size * 1024})).status == 413, path
    assert (await console.post("/templates/drafts/rcs", {"data": "x" * 128 * 1024})).status == 200
