"""What a token opens in the browser: by its role, and by the account that it is bound to."""

from __future__ import annotations

import pytest

from tests.browser.areas import starts
from tests.browser.conftest import Browsing
from tests.browser.console import Console
from tests.browser.crawling import ROWS, crawl, row_of
from tests.browser.teahouse.opening import TeaHouse
from tests.browser.teahouse.settings import ACCOUNT, OTHER
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.http.route import About


def csrf(console: Console) -> str:
    """Return the text that forms of this session carry."""
    return console.page.locator("input[name=csrf]").first.input_value()


def filled(path: str) -> str:
    """Return the address of a row, with ids of nothing."""
    return "/console" + "/".join("nobody" if "{" in part else part for part in path.split("/"))


@pytest.mark.parametrize("role", [TokenRole.AUDITOR, TokenRole.OPERATOR])
def test_a_role_sees_no_form_that_it_may_not_send(
    browsing: Browsing, house: TeaHouse, role: TokenRole
) -> None:
    """All links open, no form asks for a higher role; what does is 403, also to who knows its address."""
    console = browsing.console(browsing.token(role))
    text = csrf(console)
    crawled = crawl(console.page.context, f"/console?account={ACCOUNT}")
    offered = {action: row_of("POST", action) for action in crawled.posted()}
    answers = {}
    for row in ROWS:
        if not role.allows(row.needs):
            answer = browsing.ask(console, row.method, filled(row.path), csrf=text)
            answers[row.method, row.path] = answer

    assert {200} == {page.status for page in crawled.pages}
    assert offered
    assert {} == {
        action: row for action, row in offered.items() if not row or not role.allows(row.needs)
    }
    assert {403} == set(answers.values()), answers


def test_another_account_has_no_page(browsing: Browsing, house: TeaHouse) -> None:
    """What its owner sees and does is 404 to a token of another account, and about the store 403."""
    owner = browsing.console(house.service.token)
    crawled = crawl(owner.page.context, *starts(house.service, ACCOUNT))
    neighbour = browsing.console(browsing.token(TokenRole.ADMIN, OTHER))
    text = csrf(neighbour)
    wanted = {("GET", page.address): page.row for page in crawled.pages}
    for action in crawled.posted():
        if row := row_of("POST", action):
            wanted["POST", action] = row
    wrong = {}
    asked = 0
    for (method, address), row in wanted.items():
        if "{" not in row.path and f"account={ACCOUNT}" not in address:
            continue
        asked += 1
        status = browsing.ask(neighbour, method, address, csrf=text)
        if status != (403 if row.about is About.STORE else 404):
            wrong[method, address] = status

    assert asked > 100
    assert {} == wrong


def test_a_bound_token_finds_its_account_alone(browsing: Browsing, house: TeaHouse) -> None:
    """No page that links lead to shows a name of the other account, and there is nothing to choose."""
    console = browsing.console(browsing.token(TokenRole.ADMIN, OTHER))
    crawled = crawl(console.page.context)
    shown = [each.address for each in crawled.pages if ACCOUNT in each.text]

    assert 0 == console.page.get_by_label("Account", exact=True).count()
    assert {200} == {page.status for page in crawled.pages}
    assert [] == shown


def test_numbers_are_masked_for_auditors(browsing: Browsing, house: TeaHouse) -> None:
    """The list of PINs, and the story of one, show an auditor no whole number."""
    console = browsing.console(browsing.token(TokenRole.AUDITOR))
    pins = house.service.admin.get("/admin/v1/verifications", account=ACCOUNT, pageSize=5)["data"]
    for pin in pins:
        console.page.goto(f"/console/verifications/{pin['pinId']}")
        assert pin["destination"] not in console.page.content()
    console.page.goto(f"/console/verifications?account={ACCOUNT}")

    assert not [each for each in pins if each["destination"] in console.page.content()]
