"""Widths of the console: a phone of 360 px, and a desktop of 1280 px."""

from __future__ import annotations

import pytest

from tests.browser.areas import starts
from tests.browser.conftest import Browsing
from tests.browser.crawling import crawl
from tests.browser.teahouse.opening import TeaHouse
from tests.browser.teahouse.settings import ACCOUNT

NARROW = {"width": 360, "height": 740}
_TALLEST_ROW = """() =>
  Math.max(...[...document.querySelectorAll("tbody tr")].map((row) => row.offsetHeight))"""

# As people set it who read with difficulty (WCAG 1.4.12).
_SPACED = """() => {
  for (const each of document.body.querySelectorAll("*")) {
    each.style.setProperty("letter-spacing", ".12em", "important");
    each.style.setProperty("word-spacing", ".16em", "important");
  }
  return document.scrollingElement.scrollWidth;
}"""


def test_no_page_is_wider_than_a_phone_with_spaced_text(
    browsing: Browsing, house: TeaHouse
) -> None:
    """Whatever the font and the spacing of the reader, long words break: also the id of a refusal."""
    console = browsing.console(house.service.token, viewport=NARROW)
    page = console.page
    addresses = [
        each.address for each in crawl(page.context, *starts(house.service, ACCOUNT)).kinds()
    ]
    wide = []
    with browsing.watch.refusals(404):
        for each in (*addresses, f"/console/verifications/pin_{'0' * 32}?account={ACCOUNT}"):
            page.goto(each)
            if page.evaluate(_SPACED) > NARROW["width"]:
                wide.append(each)

    assert [] == wide


@pytest.mark.parametrize("area", ["verifications", "messages", "callbacks", "phones", "channels"])
def test_rows_of_lists_stay_low(browsing: Browsing, house: TeaHouse, area: str) -> None:
    """A number or an id is not broken after each digit: a list scrolls aside instead."""
    console = browsing.console(house.service.token, viewport=NARROW)
    console.page.goto(f"/console/{area}?account={ACCOUNT}")

    assert console.page.evaluate(_TALLEST_ROW) < 110


@pytest.mark.parametrize("area", ["Overview", "Guard", "Phones"])
def test_the_menu_shows_where_one_is(browsing: Browsing, house: TeaHouse, area: str) -> None:
    """The menu is one line that scrolls; the page's own area is in sight."""
    console = browsing.console(house.service.token, viewport=NARROW)
    console.go_to(area)
    here = console.page.locator(".menu [aria-current]").bounding_box()

    assert here is not None
    assert 0 <= here["x"]
    assert here["x"] + here["width"] <= NARROW["width"]


def test_the_table_of_tokens_fits_a_desktop(browsing: Browsing, house: TeaHouse) -> None:
    """What is done to a token stands in its row, and nobody has to scroll aside for it."""
    body = {"name": "the night shift", "role": "auditor", "expiresAt": "2099-12-31T23:59:59Z"}
    house.service.admin.post("/admin/v1/tokens", body)
    console = browsing.console(house.service.token, viewport={"width": 1280, "height": 800})
    console.page.goto("/console/access/tokens")
    hidden = "(each) => each.scrollWidth - each.clientWidth"

    assert 0 == console.page.locator(".scroll").evaluate(hidden)
