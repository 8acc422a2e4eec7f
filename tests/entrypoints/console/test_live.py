"""Open pages hear that what they show has grown (D-504)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import pytest
from aiohttp import ClientResponse, ClientSession, CookieJar
from aiohttp.web import StreamResponse

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Visitor
from tests.fakes.clocks import StillClock
from tests.fakes.hashers import FakePasswordHasher
from watchword.application.caller import ADMIN
from watchword.application.caller import Caller as By
from watchword.application.paging import Paging
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.console import live
from watchword.entrypoints.console.live import (
    MOST_LIVE,
    MOST_OF_A_SESSION,
    MOST_OF_AN_ACCOUNT,
)
from watchword.entrypoints.console.mounting import console_routes
from watchword.entrypoints.console.streaming import event_stream
from watchword.entrypoints.console.visit import Visit
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings
from watchword.entrypoints.wired import Wired

_PATIENCE = 30


async def follow(visitor: Visitor, query: str = "") -> ClientResponse:
    """Open the stream of events, and read that it is open."""
    url = visitor.endpoint.make_url(f"/console/live{query}")
    response = await visitor.session.get(url)
    if response.status == 200:
        assert b": open\n" == await response.content.readline()
    return response


async def heard(response: ClientResponse) -> str:
    """Return the name of the next event; nothing when the stream ends."""
    async with asyncio.timeout(_PATIENCE):
        async for line in response.content:
            if line.startswith(b"event: "):
                return line.decode().removeprefix("event: ").strip()
    return ""


async def test_a_page_hears_of_new_events_of_its_stream(console: Visitor, caller: Caller) -> None:
    """An event of the stream is told, and no event of another."""
    pin, other = await caller.created(), await caller.created("+919812345611")
    response = await follow(console, f"?stream={pin}")
    await caller.verify(other, "000000")
    await caller.verify(pin, "000000")
    assert "changed" == await heard(response)
    response.close()


async def test_a_bound_token_hears_of_its_account_alone(
    console_as: ConsoleAs, caller: Caller, service: Wired
) -> None:
    """The stream of a bound token is silent about the events of other accounts."""
    root = By("", ADMIN, "req")
    acme = await service.accounts.create(root, "acme")
    bound = await console_as(TokenRole.AUDITOR, "acme")
    response = await follow(bound)
    await caller.created()
    await service.api_keys.create(By(acme.id, ADMIN, "req"), "web")
    assert "changed" == await heard(response)
    # The first event that is told is the account's own, and says nothing of how many others there are.
    assert b"data: ApiKeyCreated\n" == await response.content.readline()
    response.close()


@pytest.mark.stores("memory")
async def test_another_accounts_stream_is_silent(
    console_as: ConsoleAs, caller: Caller, service: Wired
) -> None:
    """A bound token that names another account's stream cannot even see when something happens to it."""
    acme = await service.accounts.create(By("", ADMIN, "req"), "acme")
    bound, anybody = (
        await console_as(TokenRole.AUDITOR, "acme"),
        await console_as(TokenRole.AUDITOR),
    )
    pin = await caller.created()
    theirs, ours = await follow(bound, f"?stream={pin}"), await follow(anybody, f"?stream={pin}")
    own = await follow(bound, f"?stream={acme.id}")
    await caller.verify(pin, "000000")
    assert "changed" == await heard(ours)
    # Its next look comes with an event of its own, so it has seen the other one by then.
    await service.accounts.suspend(By("", ADMIN, "req"), acme.id)
    assert "changed" == await heard(own)
    assert b"\n" == await theirs.content.readline()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(theirs.content.readline(), 1)
    for each in (theirs, ours, own):
        each.close()


@pytest.mark.stores("memory")
@pytest.mark.parametrize(
    ("path", "header"),
    [
        ("/live", {"Accept": "text/event-stream"}),
        ("/verifications", {"HX-Request": "true"}),
    ],
)
async def test_an_open_page_keeps_no_session_alive(
    settings: Settings, path: str, header: Mapping[str, str]
) -> None:
    """What a page asks for by itself is no use of a session, which ends as if the page were closed."""
    clock = StillClock()
    async with (
        wired(settings, clock=clock, password_hasher=FakePasswordHasher()) as service,
        listening(service, console=console_routes(service)) as caller,
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as session,
    ):
        visitor = Visitor(session, caller.endpoint)
        await visitor.sign_in(SANDBOX_ADMIN_TOKEN)
        clock.move_real(20 * 60)
        async with session.get(
            caller.endpoint.make_url(f"/console{path}"), headers=header
        ) as asked:
            assert 200 == asked.status
        clock.move_real(11 * 60)
        assert "Sign in" == (await visitor.get("/verifications")).heading


async def test_it_ends_with_its_session(console_as: ConsoleAs, service: Wired) -> None:
    """Once the token is revoked, the stream ends after the next event."""
    visitor = await console_as(TokenRole.AUDITOR)
    response = await follow(visitor)
    (token,) = (await service.operator_tokens.list(None, Paging())).data
    await service.operator_tokens.revoke(By("", ADMIN, "req"), token.id)
    names = [await heard(response) for _ in range(2)]
    assert "" == names[-1]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a page that finds no place refused soon."""
    monkeypatch.setattr(live, "WAIT_SECONDS", 0.05)


@pytest.mark.stores("memory")
@pytest.mark.usefixtures("impatient")
async def test_few_are_open_at_once(visitors: Callable[[], Awaitable[Visitor]]) -> None:
    """Beyond the bound, another session's page is refused, and reads as it is."""
    opened = []
    for _ in range(MOST_LIVE // MOST_OF_A_SESSION):
        each = await visitors()
        await each.sign_in(SANDBOX_ADMIN_TOKEN)
        opened += [await follow(each) for _ in range(MOST_OF_A_SESSION)]
    another = await visitors()
    await another.sign_in(SANDBOX_ADMIN_TOKEN)
    refused = await follow(another)

    assert 503 == refused.status
    assert 200 == (await another.get("")).status
    for response in (*opened, refused):
        response.close()


@pytest.mark.stores("memory")
@pytest.mark.usefixtures("impatient")
async def test_a_session_has_few_of_them(
    visitors: Callable[[], Awaitable[Visitor]], console: Visitor
) -> None:
    """One session takes no place from the others, and gets a place back with each page that it closes."""
    opened = [await follow(console) for _ in range(MOST_OF_A_SESSION)]
    refused = await follow(console)
    another = await visitors()
    await another.sign_in(SANDBOX_ADMIN_TOKEN)
    others = await follow(another)

    assert (503, 200) == (refused.status, others.status)
    opened.pop().close()
    async with asyncio.timeout(_PATIENCE):
        while (again := await follow(console)).status == 503:
            again.close()
    for response in (*opened, again, refused, others):
        response.close()


@pytest.mark.stores("memory")
async def test_a_page_waits_for_the_place_of_one_that_was_left(
    console: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever turns pages quickly meets no refusal, although a page that was left is noticed later."""
    monkeypatch.setattr(live, "WAIT_SECONDS", _PATIENCE)
    opened = [await follow(console) for _ in range(MOST_OF_A_SESSION)]
    for _ in range(MOST_OF_A_SESSION):
        opened.pop(0).close()
        opened.append(await follow(console))

    assert {200} == {each.status for each in opened}
    for response in opened:
        response.close()


@pytest.mark.stores("memory")
@pytest.mark.usefixtures("impatient")
async def test_an_account_has_a_quarter_of_them(console: Visitor, console_as: ConsoleAs) -> None:
    """Tokens that are bound to one account leave the other places to others, however many they are."""
    opened = []
    for _ in range(MOST_OF_AN_ACCOUNT // MOST_OF_A_SESSION):
        each = await console_as(TokenRole.AUDITOR, "demo")
        opened += [await follow(each) for _ in range(MOST_OF_A_SESSION)]
    refused = await follow(await console_as(TokenRole.AUDITOR, "demo"))
    others = await follow(console)

    assert ({200}, 503, 200) == ({each.status for each in opened}, refused.status, others.status)
    for response in (*opened, refused, others):
        response.close()


async def test_a_page_hears_of_several_streams(console: Visitor, caller: Caller) -> None:
    """A story may consist of several; an event of any of them is told."""
    pin, other = await caller.created(), await caller.created("+919812345611")
    response = await follow(console, f"?stream={other}&stream={pin}")
    await caller.verify(pin, "000000")
    assert "changed" == await heard(response)
    response.close()


async def test_a_page_hears_of_what_came_since_it_was_made(
    console: Visitor, caller: Caller, service: Wired
) -> None:
    """An event between the page and its stream is not lost."""
    pin = await caller.created()
    after = await service.journal.newest()
    await caller.verify(pin, "000000")
    response = await follow(console, f"?stream={pin}&after={after}")
    assert "changed" == await heard(response)
    response.close()


async def test_a_page_hears_of_what_came_once_it_was_open(
    console_as: ConsoleAs, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event right behind the first bytes of the stream is told, also to a page without a position."""
    pin = await caller.created()

    async def opened(visit: Visit) -> StreamResponse:
        response = await event_stream(visit)
        await caller.verify(pin, "000000")
        return response

    monkeypatch.setattr(live, "event_stream", opened)
    response = await follow(await console_as(TokenRole.AUDITOR, "demo"), f"?stream={pin}")
    assert "changed" == await heard(response)
    response.close()


async def test_a_page_that_missed_too_much_looks_anew(console: Visitor, service: Wired) -> None:
    """Its stream searches no long stretch of the log; it says at once that something changed."""
    newest = await service.journal.newest()
    response = await follow(console, f"?stream=pin_any&after={newest - 1_001}")
    assert "changed" == await heard(response)
    response.close()
