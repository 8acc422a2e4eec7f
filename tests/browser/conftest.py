"""One browser for the whole run, and what a test opens in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.axe import there_is_axe
from tests.browser.chromium import chromium
from tests.browser.served import Served, served
from tests.browser.watch import Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Playwright is loaded by the fixtures, because every run of the other tests reads this file too.


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield a headless Chromium."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    assert path is not None, "There is no Chromium: install one, or name one in WATCHWORD_BROWSER."
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path)
        yield started
        started.close()


@pytest.fixture(scope="session")
def axe() -> None:
    """Skip what needs axe-core where npm did not bring it."""
    if not there_is_axe():
        pytest.skip("npm did not bring axe-core: make browser-packages")


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a sandbox as `make run` starts it."""
    with served(tmp_path_factory.mktemp("sandbox")) as service:
        yield service


@pytest.fixture
def watch(sandbox: Served) -> Iterator[Watch]:
    """Yield what watches this test's pages; fail the test if they did what no page should do."""
    watching = Watch(sandbox.address)
    yield watching
    watching.saw_nothing()


@pytest.fixture
def new_page(browser: Browser, sandbox: Served, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens a page in a context of its own, with nobody logged in."""
    with ExitStack() as stack:

        def opened(**how: Any) -> Page:
            context = browser.new_context(base_url=sandbox.address, reduced_motion="reduce", **how)
            stack.callback(context.close)
            watch.over(context)
            return context.new_page()

        yield opened
