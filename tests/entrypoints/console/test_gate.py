"""Pages are open to the tokens that their rows name, and forms to our own pages (C-84, C-85)."""

from __future__ import annotations

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Visitor
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.console.page import Page
from watchword.entrypoints.console.pages import PAGES, SANDBOX_PAGES
from watchword.entrypoints.http.route import About

ALL_PAGES = (*PAGES, *SANDBOX_PAGES)
FORMS = [each for each in ALL_PAGES if each.method == "POST"]


def filled(path: str) -> str:
    """Return a path with ids of nothing."""
    return "/".join("nobody" if part.startswith("{") else part for part in path.split("/"))


@pytest.mark.parametrize("page", FORMS, ids=lambda page: page.path)
async def test_a_form_without_its_text_does_nothing(console: Visitor, page: Page) -> None:
    """A form that was posted without the text of the session is 403, whatever it would do."""
    path = filled(page.path)
    await console.get("")
    csrf, console.csrf = console.csrf, ""
    assert (await console.post(path)).status == 403
    console.csrf = "0" * 64
    assert (await console.post(path)).status == 403
    console.csrf = csrf
    from_elsewhere = await console.post(path, headers={"Sec-Fetch-Site": "cross-site"})
    assert from_elsewhere.status == 403
    assert "does not belong to this session" in from_elsewhere.text


async def test_auditors_act_nowhere(console_as: ConsoleAs) -> None:
    """Every form that changes something is 403 for an auditor; those that only look are not."""
    auditor = await console_as(TokenRole.AUDITOR)
    await auditor.get("")
    for page in FORMS:
        if page.needs is not TokenRole.AUDITOR:
            assert (await auditor.post(filled(page.path))).status == 403, page.path


async def test_a_bound_token_opens_nothing_about_the_store(console_as: ConsoleAs) -> None:
    """Pages about the whole store are 403 for a token that is bound to an account."""
    bound = await console_as(TokenRole.ADMIN, "demo")
    for page in ALL_PAGES:
        if page.about is About.STORE:
            if page.method == "GET":
                reply = await bound.get(filled(page.path))
            else:
                reply = await bound.post(filled(page.path))
            assert reply.status == 403, page.path


async def test_another_account_is_unknown(console_as: ConsoleAs, caller: Caller) -> None:
    """A bound token that names another account gets 404, as for an account that there is not."""
    await caller.operated("POST", "/accounts", {"name": "acme"})
    bound = await console_as(TokenRole.OPERATOR, "demo")
    known, unknown = await bound.get("?account=acme"), await bound.get("?account=nobody")
    assert (404, 404) == (known.status, unknown.status)


async def test_an_unknown_page_is_404(console: Visitor) -> None:
    """An address without a page says so, in a page."""
    page = await console.get("/nothing/here")
    assert (404, "There is nothing here") == (page.status, page.heading)


async def test_pages_run_no_script_of_others(console: Visitor) -> None:
    """Every page forbids scripts, styles and frames of others, and no page is kept by a cache."""
    for path in ("", "/login", "/nothing"):
        headers = (await console.get(path)).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["Cache-Control"] == "no-store"


async def test_a_part_of_a_page_lists_no_accounts(console: Visitor, caller: Caller) -> None:
    """The chooser stands on whole pages alone, also on one that htmx asks for on the way back."""
    await caller.operated("POST", "/accounts", {"name": "acme"})
    whole = await console.get("/verifications")
    part = await console.get("/verifications", headers={"HX-Request": "true"})
    back = {"HX-Request": "true", "HX-History-Restore-Request": "true"}

    assert "account-chooser" in whole.html
    assert "account-chooser" not in part.html
    assert "acme" not in part.html
    assert "account-chooser" in (await console.get("/verifications", headers=back)).html


async def test_a_part_is_about_the_only_account(console: Visitor) -> None:
    """Where there is no choice, a part of a page is about the same account as the page."""
    part = await console.get("/guard", headers={"HX-Request": "true"})

    assert (200, "Guard") == (part.status, part.heading)
