"""Finds the pages of the console by following links, and tells which row of its table each belongs to."""

from __future__ import annotations

import re
from collections import deque
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from attrs import define, field, frozen

from tests.browser.reading import Reader, ReadForm
from watchword.entrypoints.console.page import Page as Row
from watchword.entrypoints.console.pages import PAGES, SANDBOX_PAGES

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

ROWS = (*PAGES, *SANDBOX_PAGES)
_ROOT = "/console"
# Pages of one kind differ by what they show; so many of each are opened, unless more are asked for.
_OF_EACH = 8
_LEFT_OUT = ("/console/static/", "/console/login", "/console/logout", "/console/live")


@frozen
class Found:
    """A page that the crawl opened: its address below the service, its row, and what is on it."""

    address: str
    row: Row
    status: int
    text: str = field(repr=False)
    forms: tuple[ReadForm, ...] = field(repr=False)
    is_page: bool


@define
class Crawl:
    """What a crawl saw."""

    pages: list[Found] = field(factory=list)
    unknown: list[str] = field(factory=list)

    def kinds(self, many: int = 1) -> list[Found]:
        """Return so many pages of each kind, whole pages alone."""
        seen: dict[str, int] = {}
        chosen = []
        for each in self.pages:
            if each.is_page and seen.setdefault(each.row.path, 0) < many:
                seen[each.row.path] += 1
                chosen.append(each)
        return chosen

    def posted(self) -> dict[str, ReadForm]:
        """Return the forms that change or ask for something, by where they post to."""
        return {
            form.action: form
            for page in self.pages
            for form in page.forms
            if form.method == "post" and not form.action.startswith(_LEFT_OUT)
        }


def crawl(context: BrowserContext, *starts: str, of_each: int = _OF_EACH) -> Crawl:
    """Follow links from some pages, as the context is signed in; open a few pages of each kind."""
    result = Crawl()
    opened: dict[str, int] = {}
    waiting = deque(starts or [_ROOT])
    seen = set(waiting)
    while waiting:
        address = waiting.popleft()
        row = row_of("GET", address)
        if row is None:
            result.unknown.append(address)
            continue
        if opened.setdefault(row.path, 0) >= of_each:
            continue
        opened[row.path] += 1
        response = context.request.get(address)
        whole = "text/html" in response.headers.get("content-type", "")
        text = response.text() if whole else ""
        read = Reader(text)
        for each in read.forms:
            each.action = _below(address, each.action)
        found = Found(address, row, response.status, text, tuple(read.forms), read.is_page)
        result.pages.append(found)
        for link in read.links:
            target = _below(address, link)
            if _is_of_the_console(target) and target not in seen:
                seen.add(target)
                waiting.append(target)
    return result


def row_of(method: str, address: str) -> Row | None:
    """Return the row of the table that an address belongs to."""
    path = urlsplit(address).path
    fitting = [row for row in ROWS if row.method == method and _pattern(row.path).fullmatch(path)]
    return min(fitting, key=lambda row: row.path.count("{"), default=None)


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(_ROOT + re.sub(r"\\?\{[^}]*\}", "[^/]+", re.escape(path)))


def _below(address: str, link: str) -> str:
    """Return where a link of a page leads, below the service and without a fragment."""
    parts = urlsplit(urljoin(f"http://console{address}", link))
    if parts.netloc != "console":
        return link
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _is_of_the_console(target: str) -> bool:
    return target.startswith(_ROOT) and not target.startswith(_LEFT_OUT)
