"""The tutorial's login form, as a browser uses it: the way in, and everything that may go wrong."""

from __future__ import annotations

import re
import runpy
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from http.client import HTTPConnection
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

import watchword
from tests.docs.guide_lines import table
from tests.docs.tutorials import PAGES, Walk, walking

PAGE = "login-form.md"
NUMBER, PASSWORD = "+447700900123", "correct horse"
SENT = "is your code for Example"
SMS = f"183468 {SENT}"
TEXT = (PAGES / PAGE).read_text()
TABLE = {does: says for does, says, _ in table(TEXT, "what you do")}


class Browser:
    """Keeps cookies, follows redirects, and shows the status and text of the last page."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._url = walk.url("8090")
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def post(self, path: str, **form: str) -> tuple[int, str]:
        """Send a form."""
        return self._open(path, urllib.parse.urlencode(form).encode())

    def get(self, path: str) -> tuple[int, str]:
        """Open a page."""
        return self._open(path, None)

    def asks_for_a_code(self, number: str = NUMBER) -> str:
        """Send the password, and return the code that the phone shows."""
        status, page = self.post("/password", number=number, password=PASSWORD)
        assert status == 200, page
        return self.code_on_phone()

    def code_on_phone(self) -> str:
        """Return the code of the SMS that the terminal shows."""
        first, empty, last = self._walk.said(3)
        code = first.partition(" ")[0]
        assert (first, empty) == (f"{code} {SENT}. Never share it.", "")
        assert last == f"@login.example #{code}"
        return code

    def _open(self, path: str, body: bytes | None) -> tuple[int, str]:
        try:
            with self._opener.open(self._url + path, body, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.status or 0, refusal.read().decode()


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    """Yield a reader who has started the form, and has not signed in yet."""
    with walking(PAGE, tmp_path) as begun:
        begun.go(before=SMS)
        yield begun


@pytest.fixture
def browser(walk: Walk) -> Browser:
    """Return a browser without cookies."""
    return Browser(walk)


def said(page: str) -> str:
    """Return the message above the form."""
    (message,) = re.findall(r'<p role="alert">(.*?)</p>', page)
    return str(message)


def shown(does: str, found: str) -> None:
    """Compare a message with the table of the page, whose numbers depend on the moment."""
    expected = re.sub(r"\d+ s", "N s", TABLE[does])

    assert expected == re.sub(r"\d+ s", "N s", found)


def test_the_way_in_is_as_the_page_shows(walk: Walk, browser: Browser) -> None:
    """A number and a password, the SMS in the terminal, its code, a session, and out again."""
    assert "Number" in browser.get("/")[1]
    browser.post("/password", number=NUMBER, password=PASSWORD)
    walk.go()

    status, page = browser.post("/again")
    assert 429 == status
    shown("ask for another code at once", said(page))


def test_a_code_opens_one_session(walk: Walk, browser: Browser) -> None:
    """The session is this browser's alone, and ends when its person signs out."""
    code = browser.asks_for_a_code()
    _, form = browser.post("/code", code="")
    assert "Type the code" in said(form)
    status, welcome = browser.post("/code", code=f" {code} ")
    assert (200, True) == (status, f"Welcome, {NUMBER}" in welcome)
    assert {"session"} == {each.name for each in browser.cookies}
    assert all(each.has_nonstandard_attr("HttpOnly") for each in browser.cookies)
    assert "Welcome" not in Browser(walk).get("/")[1]

    shown("sign in again with a used code", said(browser.post("/code", code=code)[1]))
    assert "Number" in browser.post("/leave")[1]
    assert "Welcome" not in browser.get("/")[1]


def test_a_code_is_of_no_use_to_another_browser(walk: Walk, browser: Browser) -> None:
    """Whoever reads the SMS and does not know the password gets no further."""
    code = browser.asks_for_a_code()

    assert (401, "Please start again.") == (
        (answer := Browser(walk).post("/code", code=code))[0],
        said(answer[1]),
    )


def test_wrong_passwords_and_unknown_numbers_read_the_same(browser: Browser) -> None:
    """No code goes out to either."""
    known = browser.post("/password", number=NUMBER, password="wrong")
    unknown = browser.post("/password", number="+447700900999", password=PASSWORD)

    assert known == unknown
    assert 401 == known[0]
    shown("type a wrong password", said(known[1]))


def test_wrong_codes_are_counted_and_slowed(browser: Browser) -> None:
    """The third guess in ten seconds is not judged."""
    code = browser.asks_for_a_code()
    wrong = "000000" if code != "000000" else "000001"

    shown("type a wrong code", said(browser.post("/code", code=wrong)[1]))
    assert 422 == browser.post("/code", code=wrong)[0]
    status, page = browser.post("/code", code=wrong)
    assert 429 == status
    shown("type three codes at once", said(page))


def test_codes_cost_money_so_there_are_few(browser: Browser) -> None:
    """The sixth code of a day is refused."""
    for _ in range(5):
        browser.asks_for_a_code()

    status, page = browser.post("/password", number=NUMBER, password=PASSWORD)
    assert 429 == status
    shown("ask for a sixth code on one day", said(page))


def test_equal_passwords_have_different_digests(tmp_path: Path) -> None:
    """Each person has a salt, so that one guess is one guess at one person."""
    made = program(tmp_path)
    (salt, first), (_, second) = made["salted"](PASSWORD), made["salted"](PASSWORD)

    assert first != second
    assert first == made["digest"](PASSWORD, salt)


def test_no_other_site_shows_the_form_in_a_frame(walk: Walk) -> None:
    """Nor does a cache keep a page."""
    connection = HTTPConnection(walk.url("8090").removeprefix("http://"), timeout=60)
    with closing(connection):
        connection.request("GET", "/")
        headers = connection.getresponse().headers

    assert "frame-ancestors 'none'" == headers["Content-Security-Policy"]
    assert "no-store" == headers["Cache-Control"]


def program(folder: Path) -> dict[str, Any]:
    """Run the page's program as far as its names go, and return these."""
    (text,) = re.findall(r"```python\n(# login_form\.py.*?)```", TEXT, re.DOTALL)
    file = folder / "login_form.py"
    file.write_text(text)
    return runpy.run_path(str(file))


async def test_a_code_ends(tmp_path: Path) -> None:
    """After its time, the page offers another one, and that one works."""
    async with watchword.open("memory://", sandbox=True) as service:
        assert service.sandbox is not None
        form = program(tmp_path)["LoginForm"](service, "tpl_demo")
        async with TestClient(TestServer(form.application())) as browser:
            await browser.post("/password", data={"number": NUMBER, "password": PASSWORD})
            await service.sandbox.advance(timedelta(minutes=11))
            late = await browser.post("/code", data={"code": "000000"})
            assert 410 == late.status
            shown("wait for ten minutes", said(await late.text()))
            assert "A new code" in said(await (await browser.post("/again")).text())
            (code,) = re.findall(r"\d{6}", service.sandbox.provider.outbox()[-1].text)
            assert (
                f"Welcome, {NUMBER}"
                in await (await browser.post("/code", data={"code": code})).text()
            )


def test_the_form_tells_browsers_what_it_wants(browser: Browser) -> None:
    """Autofill goes by `autocomplete`, and Chrome by the script."""
    _, page = browser.post("/password", number=NUMBER, password=PASSWORD)

    assert 'autocomplete="one-time-code"' in page
    assert 'navigator.credentials.get({ otp: { transport: ["sms"] } })' in page
    assert {
        "type a wrong password",
        "type a wrong code",
        "type three codes at once",
        "ask for another code at once",
        "ask for a sixth code on one day",
        "wait for ten minutes",
        "sign in again with a used code",
    } == set(TABLE)
