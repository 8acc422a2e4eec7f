"""Signing in, staying signed in, and signing out."""

from __future__ import annotations

from tests.browser.conftest import Browsing
from tests.browser.teahouse.opening import TeaHouse
from tests.browser.teahouse.settings import ACCOUNT


def test_people_sign_in_and_out(browsing: Browsing, house: TeaHouse, hand: str) -> None:
    """A token opens the console; after the log-out, the way back shows nothing."""
    console = browsing.console(house.service.token, hand)
    assert "Overview" == console.heading

    console.sign_out()
    console.page.get_by_text("You are signed out.").wait_for()
    console.page.go_back()
    console.page.goto("/console")

    assert "Sign in" == console.heading


def test_a_wrong_token_is_told(browsing: Browsing, hand: str) -> None:
    """A wrong token opens nothing, and the page says so beside the field."""
    console = browsing.stranger(hand)
    with browsing.watch.refusals(401):
        console.page.goto("/console/login")
        console.write_token("wwt_nobody")
        console.page.get_by_text("This token opens nothing.").wait_for()

    assert "Sign in" == console.heading


def test_the_wanted_page_comes_after_the_log_in(browsing: Browsing, house: TeaHouse) -> None:
    """An address that somebody shared opens once the reader has signed in."""
    console = browsing.stranger()
    console.page.goto(f"/console/templates?account={ACCOUNT}&page=1")
    console.write_token(house.service.token)

    console.page.wait_for_url(f"**/console/templates?account={ACCOUNT}&page=1")


def test_a_revoked_token_ends_at_the_next_request(browsing: Browsing, house: TeaHouse) -> None:
    """What is open stays on the screen; the next click leads to the log-in."""
    made = house.service.admin.post("/admin/v1/tokens", {"name": "leaves", "role": "operator"})
    console = browsing.console(made["token"])
    house.service.admin.call("DELETE", f"/admin/v1/tokens/{made['id']}")
    menu = console.page.get_by_role("navigation", name="Areas")
    console.hand.press(menu.get_by_role("link", name="Guard"))

    console.page.get_by_text("Your session has ended.").wait_for()
    assert "Sign in" == console.heading
