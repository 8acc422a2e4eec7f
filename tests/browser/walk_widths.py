"""Widths of the console: a phone of 360 px, and a desktop of 1280 px."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Browsing
from tests.browser.teahouse.opening import TeaHouse
from tests.browser.teahouse.settings import ACCOUNT

NARROW = {"width": 360, "height": 740}
_TALLEST_ROW = """() =>
  Math.max(...[...document.querySelectorAll("tbody tr")].map((row) => row.offsetHeight))"""


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
