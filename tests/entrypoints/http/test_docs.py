"""GET /docs: the interface, rendered by files of this service alone (C-5)."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from watchword.entrypoints.http.app import Exposure

ASSETS = ("page.js", "swagger-ui-bundle.js", "swagger-ui.css")


class Fetched(HTMLParser):
    """The addresses that a page makes a browser fetch, and its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self._script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the address or script of an element."""
        named = dict(attrs)
        fetched = named.get("src") or (named.get("href") if tag == "link" else None)
        self.addresses += [fetched] if fetched else []
        self.inline += [name for name in named if name.startswith("on") or name == "style"]
        self._script = tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        """Note the text of a script or a style."""
        if self._script and data.strip():
            self.inline.append(data)


async def test_the_page_needs_no_key(serving: Serving) -> None:
    """Every client of the service gets it, with and without management."""
    async with serving(Exposure(), sandbox=False) as caller:
        reply = await caller.using(None).get("/docs")

    assert (200, "text/html; charset=utf-8") == (reply.status, reply.headers["Content-Type"])
    assert reply.headers["X-Request-Id"].startswith("req_")


async def test_all_that_the_page_fetches_is_ours(caller: Caller) -> None:
    """Every file comes from the folder beside the page, at any address of the service."""
    fetched = Fetched((await caller.get("/docs")).body.decode())
    ours = [each for each in fetched.addresses if not each.startswith("data:")]

    assert {f"docs/{name}" for name in ASSETS} == set(ours)
    for each in ours:
        assert 200 == (await caller.get(urljoin("/docs", each))).status
    script = (await caller.get("/docs/page.js")).body.decode()
    assert re.findall(r'url: "(.*?)"', script) == ["openapi.json"]
    assert "://" not in script
    assert "validatorUrl: null" in script


async def test_nothing_runs_that_stands_in_the_page(caller: Caller) -> None:
    """No script, style or handler is in line, so that the policy needs no exception for any."""
    assert [] == Fetched((await caller.get("/docs")).body.decode()).inline


@pytest.mark.parametrize("path", ["/docs", *(f"/docs/{name}" for name in ASSETS)])
async def test_a_browser_is_told_to_go_nowhere_else(caller: Caller, path: str) -> None:
    """The policy allows this service alone, and no inline or evaluated code."""
    headers = (await caller.get(path)).headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";")
    )

    assert "'none'" == policy.pop("default-src")
    assert {"'none'", "'self'", "'self' data:"} == set(policy.values())
    assert "'self'" == policy["script-src"] == policy["style-src"] == policy["connect-src"]
    assert "'none'" == policy["frame-ancestors"] == policy["base-uri"]
    assert "nosniff" == headers["X-Content-Type-Options"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("page.js", "text/javascript; charset=utf-8"),
        ("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
        ("swagger-ui.css", "text/css; charset=utf-8"),
    ],
)
async def test_files_may_be_kept(caller: Caller, name: str, kind: str) -> None:
    """A browser keeps a file for a day, and then fetches it again only if it has changed."""
    path = f"/docs/{name}"
    first = await caller.get(path)
    again = await caller.get(path, headers={"If-None-Match": first.headers["ETag"]})

    assert (200, kind) == (first.status, first.headers["Content-Type"])
    assert "public, max-age=86400" == first.headers["Cache-Control"]
    assert (304, b"") == (again.status, again.body)


@pytest.mark.parametrize(
    "headers",
    [
        {"If-Modified-Since": "Mon, 01 Jan 99999999999 00:00:00 GMT"},
        {"If-Match": '"other"'},
        {"If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"},
        {"Range": "bytes=9-1"},
    ],
)
async def test_no_header_gets_another_answer(caller: Caller, headers: dict[str, str]) -> None:
    """A file is sent whole, whatever a client asks about its age and its parts."""
    plain = await caller.get("/docs")
    asked = await caller.get("/docs", headers=headers)

    assert (200, plain.body) == (asked.status, asked.body)


@pytest.mark.parametrize("name", ["LICENSE", "page.html", "..%2Fopenapi.json", "..", "%00"])
async def test_other_files_are_not_given(caller: Caller, name: str) -> None:
    """Files that the page does not name are not served."""
    assert 404 == (await caller.get(f"/docs/{name}")).status
