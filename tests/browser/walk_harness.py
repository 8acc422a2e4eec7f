"""The harness itself: each thing that it watches for would be seen."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

import pytest

from tests.browser.axe import serious_findings
from tests.browser.payloads import PAYLOADS
from tests.browser.watch import MARK, RUN, Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ADDRESS = "http://bad.test"
_CLICK_AND_COUNT = """(mark) => {
  const pages = [...document.querySelectorAll("iframe")].map((each) => each.contentDocument);
  const made = pages.filter((page) => page?.querySelector(`[${mark}]`)).length;
  for (const page of pages) page?.querySelectorAll("a").forEach((link) => link.click());
  return made;
}"""


@pytest.fixture
def watched() -> Watch:
    """Return a watch over an address of this test."""
    return Watch(ADDRESS)


@pytest.fixture
def bad(browser: Browser, watched: Watch) -> Iterator[Page]:
    """Yield a page whose context answers for the address without a network."""
    context = browser.new_context()
    watched.over(context)
    yield context.new_page()
    context.close()


def show(page: Page, html: str, policy: str = "") -> None:
    """Open a page with this content and policy; wait until its scripts had their turn."""
    headers = {"Content-Security-Policy": policy} if policy else {}
    page.route("**/*", lambda route: route.abort())
    page.route(
        f"{ADDRESS}/page",
        lambda route: route.fulfill(body=html, content_type="text/html", headers=headers),
    )
    page.goto(f"{ADDRESS}/page")
    page.evaluate("() => new Promise((done) => setTimeout(done, 0))")


@pytest.mark.parametrize(
    "html",
    [
        f"<script>{RUN}(1)</script>",
        f"<img src='data:,' onerror='{RUN}(1)'>",
        "<script>alert(1)</script>",
    ],
)
def test_a_payload_that_runs_is_counted(bad: Page, watched: Watch, html: str) -> None:
    """A script, a handler and a dialog each count as an execution."""
    show(bad, html)

    assert 1 == len(watched.executions)


@pytest.mark.parametrize(
    "html",
    [f"<script>{RUN}(1)</script>", "<p style='color: red'>red</p>", "<img src=data:,x>"],
)
def test_a_payload_that_the_policy_stops_is_reported(bad: Page, watched: Watch, html: str) -> None:
    """The policy stops it, nothing runs, and there is a report and an error in the console."""
    show(bad, html, "default-src 'self'")

    assert [] == watched.executions
    assert 1 == len(watched.reports)
    assert watched.errors


def test_a_request_to_elsewhere_is_seen(bad: Page, watched: Watch) -> None:
    """A page that loads something from another host is not of ours."""
    show(bad, "<link rel=stylesheet href=http://elsewhere.test/style.css>")

    assert ["http://elsewhere.test/style.css"] == watched.foreign


def test_an_error_of_a_script_is_seen(bad: Page, watched: Watch) -> None:
    """A script that throws fails the test."""
    show(bad, "<script>throw new Error('lost')</script>")

    assert ["lost"] == watched.errors
    with pytest.raises(AssertionError, match="lost"):
        watched.saw_nothing()


def test_the_payloads_do_harm_where_nothing_is_escaped(bad: Page, watched: Watch) -> None:
    """On a page that writes them as they are, most of the hundred run, or make an element."""
    written = (f'<p title="{text}">{text}</p><a href="{text}">open</a>' for text in PAYLOADS)
    show(bad, "".join(f"<iframe srcdoc='{escape(page)}'></iframe>" for page in written))
    made = bad.evaluate(_CLICK_AND_COUNT, MARK)
    bad.evaluate("() => new Promise((done) => setTimeout(done, 100))")

    ran = set(watched.executions) - {"0"}
    assert 100 == len(PAYLOADS) == len(set(PAYLOADS))
    assert len(ran) >= 40
    assert made >= 15


@pytest.mark.usefixtures("axe")
def test_a_serious_finding_is_found(bad: Page) -> None:
    """Pale text, and a field without a label, are serious."""
    show(
        bad,
        "<html lang=en><title>Page</title><main><h1>Page</h1><input name=a>"
        "<p style='color:#bbb;background:#fff'>pale</p></main>",
    )

    assert ["color-contrast", "label"] == sorted(
        each.partition(":")[0] for each in serious_findings(bad)
    )
