"""The console as people use it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import frozen

from tests.browser.hands import Hand

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


@frozen
class Console:
    """A browser at the console, and a hand that works it."""

    page: Page
    hand: Hand

    def sign_in(self, token: str) -> None:
        """Sign in with a token, from the page of the log-in."""
        self.page.goto("/console/login")
        self.write_token(token)
        self.page.get_by_role("button", name="Sign out").wait_for()

    def write_token(self, token: str) -> None:
        """Fill in the form of the log-in, and send it."""
        self.hand.write(self.page.get_by_label("Token"), token)
        self.press("Sign in")

    def sign_out(self) -> None:
        """Sign out."""
        self.press("Sign out")

    def choose_account(self, name: str) -> None:
        """Look at one account."""
        self.hand.choose(self.page.get_by_label("Account", exact=True), name)
        self.hand.press(self.page.locator(".chooser").get_by_role("button", name="Show"))
        self.page.wait_for_url(f"**account={name}**")

    def go_to(self, area: str) -> None:
        """Go to an area of the menu."""
        menu = self.page.get_by_role("navigation", name="Areas")
        self.hand.press(menu.get_by_role("link", name=area, exact=True))
        menu.locator("[aria-current=page]", has_text=area).wait_for()

    def follow(self, name: str) -> None:
        """Follow a link of the page's content."""
        self.hand.press(self.content.get_by_role("link", name=name).first)

    def press(self, name: str) -> None:
        """Press a button."""
        self.hand.press(self.page.get_by_role("button", name=name, exact=True).first)

    def write(self, label: str, text: str) -> None:
        """Write into a field."""
        self.hand.write(self._control(label), text)

    def choose(self, label: str, option: str) -> None:
        """Choose from a list."""
        self.hand.choose(self._control(label), option)

    def tick(self, label: str) -> None:
        """Tick a box."""
        self.hand.tick(self._control(label))

    def open(self, summary: str) -> None:
        """Open what is folded away behind a line."""
        lines = self.content.locator("summary")
        self.hand.press(lines.filter(has_text=re.compile(summary.replace(" ", r"\s+"))).first)

    def _control(self, label: str) -> Locator:
        controls = self.page.locator("input, select, textarea")
        return self.content.get_by_label(label).and_(controls).filter(visible=True).first

    @property
    def content(self) -> Locator:
        """What the page is about."""
        return self.page.get_by_role("main")

    @property
    def heading(self) -> str:
        """The page's first heading."""
        return self.page.get_by_role("heading", level=1).inner_text()

    def says(self, text: str) -> None:
        """Wait until the page's content says something."""
        self.content.get_by_text(text).filter(visible=True).first.wait_for()
