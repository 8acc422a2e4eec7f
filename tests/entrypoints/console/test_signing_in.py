"""The log-in and the log-out of the console (C-85)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from ipaddress import ip_network

import pytest
from aiohttp import ClientSession, CookieJar

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving, listening
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Visitor
from tests.entrypoints.http.hostile.raw_client import HOST, exchange, request
from watchword.application.caller import ADMIN
from watchword.application.caller import Caller as By
from watchword.application.paging import Paging
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.console.cookies import csrf_of
from watchword.entrypoints.console.mounting import console_routes
from watchword.entrypoints.http.app import Exposure
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN
from watchword.entrypoints.wired import Wired

Visitors = Callable[[], Awaitable[Visitor]]


async def test_nothing_is_shown_before_a_log_in(visitors: Visitors) -> None:
    """Whoever has not signed in is led to the log-in, and from there to the page that they wanted."""
    visitor = await visitors()
    login = await visitor.get("/verifications?page=2")
    assert (200, "Sign in") == (login.status, login.heading)
    assert login.values["next"] == "/verifications?page=2"


async def test_the_admin_token_opens_the_console(console: Visitor) -> None:
    """The service's own token signs in with the highest role."""
    page = await console.get("")
    assert page.status == 200
    assert "(admin)" in page.text


async def test_a_wrong_token_is_told_apart_from_nothing(visitors: Visitors) -> None:
    """A wrong token is 401, and the form comes again with a sentence."""
    visitor = await visitors()
    page = await visitor.sign_in("wwt_nobody")
    assert page.status == 401
    assert "This token opens nothing" in page.text


async def test_a_wrong_token_is_in_the_log(
    visitors: Visitors, caplog: pytest.LogCaptureFixture
) -> None:
    """Guessing at the log-in raises the alert that guessing over HTTP raises; no token is logged."""
    visitor = await visitors()
    await visitor.sign_in("wwt_nobody")
    logged = [each.msg for each in caplog.records if isinstance(each.msg, dict)]
    failures = [each for each in logged if each.get("event") == "authentication_failed"]
    assert [1] == [each["count"] for each in failures]
    assert "wwt_nobody" not in caplog.text


async def test_many_wrong_tokens_are_429(visitors: Visitors) -> None:
    """After five wrong tokens even the right one is refused, with the time to wait."""
    visitor = await visitors()
    for _ in range(5):
        assert (await visitor.sign_in("wwt_nobody")).status == 401
    page = await visitor.sign_in(SANDBOX_ADMIN_TOKEN)
    assert page.status == 429
    assert int(page.headers["Retry-After"]) > 0


async def test_wrong_tokens_are_counted_by_the_address_that_a_trusted_proxy_names(
    service: Wired,
) -> None:
    """Behind a proxy that is trusted, one client's guesses lock no other out; nobody else is believed."""
    believed = Exposure(admin_token=SANDBOX_ADMIN_TOKEN, trusted_proxies=(ip_network("127.0.0.1"),))
    found = []
    for exposure in (believed, Exposure(admin_token=SANDBOX_ADMIN_TOKEN)):
        async with (
            listening(service, exposure, console=console_routes(service)) as caller,
            ClientSession(cookie_jar=CookieJar(unsafe=True)) as session,
        ):
            visitor = Visitor(session, caller.endpoint)
            await visitor.get("/login")
            for address in (*["198.51.100.1"] * 6, "198.51.100.2"):
                headers = {"X-Forwarded-For": address}
                page = await visitor.post("/login", {"token": "wwt_nobody"}, headers=headers)
                found.append(page.status)

    assert [*[401] * 5, 429, 401] == found[:7]
    assert [*[401] * 5, 429, 429] == found[7:]


async def test_a_log_in_leads_no_further_than_the_console(visitors: Visitors) -> None:
    """An address that a link smuggled into the log-in leads to the first page."""
    visitor = await visitors()
    await visitor.get("/login")
    for elsewhere in (
        "//evil.example/",
        "https://evil.example/",
        "/\\evil.example",
        "@evil",
        "/../s/abc",
        "/%2E./s/abc",
    ):
        page = await visitor.post("/login", {"token": SANDBOX_ADMIN_TOKEN, "next": elsewhere})
        assert page.url == "/console", elsewhere
        await visitor.post("/logout")
        await visitor.get("/login")


async def test_a_log_in_from_another_page_is_refused(visitors: Visitors) -> None:
    """A log-in that no page of ours posted is 403: nobody is signed in unawares."""
    visitor = await visitors()
    page = await visitor.post("/login", {"token": SANDBOX_ADMIN_TOKEN})
    assert page.status == 403
    await visitor.get("/login")
    visitor.csrf = "0" * 64
    page = await visitor.post("/login", {"token": SANDBOX_ADMIN_TOKEN})
    assert page.status == 403


async def test_a_log_in_without_a_page_before_it_is_refused(visitors: Visitors) -> None:
    """Without the cookie of a page of ours there is no text that a form could have: nobody can make one."""
    visitor = await visitors()
    visitor.csrf = csrf_of("")
    page = await visitor.post("/login", {"token": SANDBOX_ADMIN_TOKEN})
    assert page.status == 403
    assert {each.key for each in visitor.session.cookie_jar} == {"watchword-visitor"}


@pytest.mark.parametrize("path", ["login", "logout"])
async def test_cookies_of_bytes_that_are_no_text_are_refused(caller: Caller, path: str) -> None:
    """No page of ours has the text that belongs to them."""
    made = b"Cookie: watchword-session=\xff; watchword-visitor=\xff\r\n"
    form = b"Content-Type: application/x-www-form-urlencoded\r\n"
    posted = request(f"/console/{path}", HOST, made, form, method="POST", body=b"csrf=0")

    assert 403 == (await exchange(caller.endpoint.make_url("/").port or 0, posted)).status


async def test_a_log_in_ends_the_session_before_it(console: Visitor) -> None:
    """A browser has one session: a new one leaves no other behind that a stolen cookie would open."""
    earlier = [(each.key, each.value) for each in console.session.cookie_jar]
    await console.sign_in(SANDBOX_ADMIN_TOKEN)
    assert (await console.get("")).status == 200
    console.session.cookie_jar.clear()
    console.session.cookie_jar.update_cookies(dict(earlier))
    assert (await console.get("")).heading == "Sign in"


async def test_signing_out_ends_the_session(console: Visitor) -> None:
    """After the log-out, even the old cookie opens nothing."""
    cookies = [*console.session.cookie_jar]
    await console.post("/logout")
    for each in cookies:
        console.session.cookie_jar.update_cookies({each.key: each.value})
    assert (await console.get("")).heading == "Sign in"


async def test_a_revoked_token_ends_at_once(console_as: ConsoleAs, service: Wired) -> None:
    """The session of a token that was revoked opens nothing from its next request on."""
    visitor = await console_as(TokenRole.OPERATOR)
    assert (await visitor.get("")).heading != "Sign in"
    (token,) = (await service.operator_tokens.list(None, Paging())).data
    await service.operator_tokens.revoke(By("", ADMIN, "req"), token.id)
    page = await visitor.get("")
    assert page.heading == "Sign in"
    assert "Your session has ended" in page.text


async def test_cookies_are_for_this_host_alone_over_tls(service: Wired) -> None:
    """Where browsers come over TLS, cookies are Secure and have the prefix __Host-, under any path."""
    pages = console_routes(service, "https://pins.example/watch")
    async with listening(service, console=pages) as caller:
        visitor = Visitor(caller.session, caller.endpoint)
        login = await visitor.get("/login")
    cookie = login.headers["Set-Cookie"]
    assert cookie.startswith("__Host-watchword-visitor=")
    for attribute in ("HttpOnly", "Secure", "SameSite=Strict", "Path=/"):
        assert attribute in cookie.split("; ")
    assert '"/watch/console/login"' in login.html


async def test_cookies_stay_below_the_console(visitors: Visitors) -> None:
    """Without TLS, cookies are for the console's path, for no script, and for no other site."""
    login = await (await visitors()).get("/login")
    cookie = login.headers["Set-Cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/console"} <= {*cookie}


async def test_a_slash_at_the_end_leads_to_the_overview(console: Visitor) -> None:
    """Who writes the address so finds the console, with its parameters, as sent, and nothing else."""
    shown = await console.get("/?account=demo&done=%0D%0AX:1")

    assert (200, "Overview") == (shown.status, shown.heading)
    assert "/console?account=demo&done=%0D%0AX:1" == shown.url


async def test_there_is_no_console_without_an_admin_token(serving: Serving) -> None:
    """Without the routes of the console, its address is as unknown as any other."""
    async with serving() as caller:
        assert (await caller.get("/console")).status == 404


@pytest.mark.parametrize("path", ["", "/verifications", "/nothing/here", "/live"])
async def test_a_bearer_token_is_no_session(caller: Caller, path: str) -> None:
    """The console knows cookies alone, so that no page of others can act with a header."""
    headers = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
    reply = await caller.get(f"/console{path}", headers=headers)
    assert b"<h1>Sign in</h1>" in reply.body
