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

# As a page of ours would, so that its answer is a page of the browser.
_POST = """([address, fields]) => {
  const form = document.createElement("form");
  form.method = "post";
  form.action = address;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("textarea");
    Object.assign(field, {name, value});
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}"""
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


@pytest.mark.parametrize("width", [360, 1280])
def test_no_answer_of_a_form_has_a_serious_finding(
    browsing: Browsing, house: TeaHouse, width: int
) -> None:
    """Secrets that are shown once, a checked proof, problems beside their fields, and refusals."""
    admin = house.service.admin
    pins = admin.get("/admin/v1/verifications", account=ACCOUNT, pageSize=1)["data"]
    proofs = admin.get(f"/admin/v1/streams/{pins[0]['pinId']}/evidence")["data"]
    mine = f"?account={ACCOUNT}"
    console = browsing.console(house.service.token, viewport={"width": width, "height": 800})
    page = console.page
    csrf = page.locator("input[name=csrf]").first.input_value()
    shown, findings, wide = [], [], []
    with browsing.watch.refusals(400, 404):
        for path, fields in (
            (f"access/keys/new{mine}", {"name": "kiosk", "scopes": "pins"}),
            ("access/tokens/new", {"name": "night", "role": "auditor"}),
            (f"access/tokens/new{mine}", {"name": "", "expiresAt": "soon"}),
            (f"callbacks/new{mine}", {"url": "http://127.0.0.1:9/axe", "events": "pin.*"}),
            (f"callbacks/new{mine}", {"url": "nowhere"}),
            ("evidence/check", {"proof": proofs[0]["proof"]}),
            ("evidence/check", {"proof": "none"}),
            (f"channels/new{mine}&channelType=sms&provider=http", {"name": ""}),
            ("access/keys/nobody/revoke", {}),
        ):
            with page.expect_navigation():
                page.evaluate(_POST, [f"/console/{path}", {"csrf": csrf, **fields}])
            shown.append(console.heading)
            for scheme in _SCHEMES:
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                findings += [f"{path} {scheme} {found}" for found in serious_findings(page)]
            if page.evaluate("() => document.scrollingElement.scrollWidth") > width:
                wide.append(path)

    assert [] == findings, "\n".join(findings)
    assert [] == wide
    assert {"The key of kiosk", "The proof holds"} <= {*shown}


def test_the_log_in_has_no_serious_finding(browsing: Browsing) -> None:
    """Who has not signed in sees one page alone."""
    page = browsing.stranger().page
    page.goto("/console/login")
    findings = []
    for scheme in _SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        findings += serious_findings(page)

    assert [] == findings
