"""One browser and one tea house for the whole run, and what a test opens there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from attrs import define, field

from tests.browser.axe import there_is_axe
from tests.browser.chromium import chromium
from tests.browser.console import Console
from tests.browser.hands import Keyboard, Pointer
from tests.browser.served import Served
from tests.browser.teahouse.opening import TeaHouse, tea_house
from tests.browser.teahouse.settings import ACCOUNT
from tests.browser.watch import Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

# Playwright is loaded by the fixtures, because every run of the other tests reads this file too.
HANDS: Mapping[str, type[Pointer] | type[Keyboard]] = {"pointer": Pointer, "keyboard": Keyboard}
# Each browser comes from an address of its own, so that no test is throttled for another's tokens.
_ADDRESSES = count(1)


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
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeaHouse]:
    """Yield the tea house, which has a month behind it."""
    with tea_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@define
class Browsing:
    """Opens browsers at a service, each with nobody signed in, under one watch."""

    browser: Browser
    service: Served
    watch: Watch
    _open: ExitStack = field(factory=ExitStack)

    def context(self, **how: Any) -> BrowserContext:
        """Open the browser of another person."""
        address = next(_ADDRESSES)
        context = self.browser.new_context(
            base_url=self.service.address,
            reduced_motion="reduce",
            extra_http_headers={"X-Forwarded-For": f"198.51.100.{address % 250 + 1}"},
            **how,
        )
        self._open.callback(context.close)
        self.watch.over(context)
        context.set_default_timeout(10_000)
        return context

    def stranger(self, hand: str = "pointer", **how: Any) -> Console:
        """Open a browser in which nobody is signed in."""
        page = self.context(**how).new_page()
        return Console(page, HANDS[hand](page))

    def console(self, token: str, hand: str = "pointer", **how: Any) -> Console:
        """Open a browser, and sign in with a token."""
        console = self.stranger(hand, **how)
        console.sign_in(token)
        return console

    def token(self, role: str, account: str | None = None) -> str:
        """Make a token."""
        body = {"name": f"a {role}", "role": role, "account": account}
        made = self.service.admin.post("/admin/v1/tokens", body)
        return str(made["token"])

    def ask(self, console: Console, method: str, address: str, **form: str) -> int:
        """Ask with the session of a browser, but not from one of its pages; return the status."""
        request = console.page.context.request
        if method == "GET":
            return request.get(address).status
        return request.post(address, form=dict[str, str | float | bool](form)).status

    def close(self) -> None:
        """Close all browsers."""
        self._open.close()


@pytest.fixture
def browsing(browser: Browser, house: TeaHouse) -> Iterator[Browsing]:
    """Yield browsers at the tea house; fail the test if a page did what none should do."""
    opened = Browsing(browser, house.service, Watch(house.service.address))
    yield opened
    opened.close()
    opened.watch.saw_nothing()


@pytest.fixture(params=HANDS)
def hand(request: pytest.FixtureRequest) -> str:
    """Return by what a test works the pages: pointer or keyboard."""
    return str(request.param)


@pytest.fixture
def owner(browsing: Browsing, house: TeaHouse, hand: str) -> Console:
    """Return a console at which the owner of the tea house is signed in, with the service's token."""
    console = browsing.console(house.service.token, hand)
    console.choose_account(ACCOUNT)
    return console
