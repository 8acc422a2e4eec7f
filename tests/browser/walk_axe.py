"""Every page of the console before axe-core, light and dark, wide and narrow."""

from __future__ import annotations

from typing import Literal

import pytest

from tests.browser.areas import starts
from tests.browser.axe import serious_findings
from tests.browser.conftest import Browsing
from tests.browser.crawling import crawl
from tests.browser.teahouse.opening import TeaHouse
from tests.browser.teahouse.settings import ACCOUNT

pytestmark = pytest.mark.usefixtures("axe")

_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_has_a_serious_finding(browsing: Browsing, house: TeaHouse, width: int) -> None:
    """Neither serious nor critical ones, in light and in dark; and no page is wider than the screen."""
    console = browsing.console(house.service.token, viewport={"width": width, "height": 800})
    page = console.page
    crawled = crawl(page.context, *starts(house.service, ACCOUNT))
    findings, wide = [], []
    for each in crawled.kinds():
        page.goto(each.address)
        for scheme in _SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            findings += [f"{each.row.path} {scheme} {found}" for found in serious_findings(page)]
        if page.evaluate("() => document.scrollingElement.scrollWidth") > width:
            wide.append(each.address)

    assert [] == findings, "\n".join(findings)
    assert [] == wide


def test_the_log_in_has_no_serious_finding(browsing: Browsing) -> None:
    """Who has not signed in sees one page alone."""
    page = browsing.stranger().page
    page.goto("/console/login")
    findings = []
    for scheme in _SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        findings += serious_findings(page)

    assert [] == findings
