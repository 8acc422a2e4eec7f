"""Short links over HTTP: from the send to the click (C-29)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from yarl import URL

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.entrypoints.messaging.sends import SMS

STORES = EVERY_STORE
MENU = "https://tea.example/menu?table=7&for=Asha#tea"
SEE = {**SMS, "messageBody": f"See {MENU}."}


def shortener(url: str = MENU, **more: Any) -> dict[str, Any]:
    """Ask for a short link."""
    return {"flag": 1, "urlDetails": [{"longUrl": url, **more}]}


async def address(caller: Caller) -> str:
    """Return the address in the text that was sent last."""
    found = re.search(r"http\S+(?=\.)", (await caller.outbox())[-1]["text"])
    assert found
    return found[0]


async def visit(caller: Caller, path: str, method: str = "GET", **headers: str) -> Reply:
    """Visit an address without being led on, and without any key."""
    url = caller.endpoint.make_url(path)
    async with caller.session.request(
        method, url, headers=headers, allow_redirects=False
    ) as answer:
        return Reply(answer.status, answer.headers, await answer.read())


async def clicks(caller: Caller) -> list[Mapping[str, Any]]:
    """Return the clicks in the log."""
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]
    return [each for each in log if each["type"] == "ShortLinkClicked"]


async def test_a_link_leads_to_its_address_and_counts_the_click(caller: Caller) -> None:
    """302 with the address as it was given, kept by no cache, recorded before the answer."""
    sent = await caller.sent(sms=[SEE], urlShortener=shortener(track_user=1))
    short = await address(caller)
    path = short.removeprefix(str(caller.endpoint.make_url("")).rstrip("/"))
    assert re.fullmatch("/s/[A-Za-z0-9]{16}", path)

    looked = await visit(caller, path, "HEAD")
    assert [] == await clicks(caller)
    led = await visit(caller, path, Host="localhost")
    (click,) = await clicks(caller)

    for each in (looked, led):
        assert (302, MENU) == (each.status, each.headers["Location"])
        assert "no-store" == each.headers["Cache-Control"]
    assert led.headers["X-Request-Id"] == click["requestId"]
    told = {"messageId": sent["data"][0]["messageId"], "url": MENU, "clicks": 1}
    assert told == click["data"]
    assert "public" == click["actor"]


async def test_clicks_at_once_are_counted_each(caller: Caller) -> None:
    """On every store."""
    await caller.sent(sms=[SEE], urlShortener=shortener())
    path = "/s/" + (await address(caller)).rpartition("/")[2]
    await asyncio.gather(*(visit(caller, path) for _ in range(10)))

    assert [{"messageId": None, "url": MENU, "clicks": 1 + each} for each in range(10)] == [
        each["data"] for each in await clicks(caller)
    ]


async def test_an_unknown_link_is_not_found(caller: Caller) -> None:
    """404 in the form of C-18, and nothing is kept of it."""
    before = await caller.recorded()
    for path in ("/s/" + "x" * 16, "/s/x", "/s/%2e%2e", "/s/" + "x" * 2000):
        assert (404, "not_found") == (await visit(caller, path)).refusal
    assert (405, "method_not_allowed") == (await visit(caller, "/s/" + "x" * 16, "POST")).refusal
    assert before == await caller.recorded()


async def test_a_replayed_send_makes_no_second_link(caller: Caller) -> None:
    """The send happened once, so its link is created once (C-10)."""
    body: dict[str, Any] = {"sms": [SEE], "urlShortener": shortener()}
    first = await caller.send(once="tea-1", **body)
    again = await caller.send(once="tea-1", **body)
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]

    assert first.body == again.body
    assert ["ShortLinkCreated"] == [t for e in log if "Link" in (t := e["type"])]


async def test_a_domain_is_one_of_the_operators(serving: Serving) -> None:
    """`--public-url` by default, `--short-domain` by name; any other is 400."""
    known = {"public_url": "https://tea.example/w", "short_domains": ("https://go.example",)}
    async with serving(**known) as caller:
        for asked, base in (
            ({}, "https://tea.example/w/s/"),
            ({"domain": "go.example"}, "https://go.example/s/"),
        ):
            await caller.sent(sms=[SEE], urlShortener=shortener(**asked))
            assert (await address(caller)).startswith(base)
        refused = await caller.send(sms=[SEE], urlShortener=shortener(domain="evil.example"))

        assert ["urlShortener.urlDetails[0].domain"] == refused.wrong


async def test_an_address_in_no_text_is_named(caller: Caller) -> None:
    """Nothing is sent."""
    reply = await caller.send(sms=[SEE], urlShortener=shortener("https://tea.example/other"))

    assert ["urlShortener.urlDetails[0].longUrl"] == reply.wrong
    assert [] == await caller.outbox()


async def test_a_link_beside_a_code_is_shown_in_no_history(caller: Caller) -> None:
    """Its address may sign a visitor in: it reads ***, and no click reveals it (D-76)."""
    await caller.sent(sms=[{**SEE, "type": "OTP"}], urlShortener=shortener())
    short = await address(caller)
    led = await visit(caller, "/s/" + short.rpartition("/")[2])
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]
    (link,) = [each["data"] for each in log if each["type"] == "ShortLinkCreated"]

    assert MENU == led.headers["Location"]
    assert (None, "***") == (link["url"], link["sealed"])
    assert "tea.example" not in repr(log)
    assert short.rpartition("/")[2] not in repr(log)


async def test_a_disabled_link_leads_nobody_on(caller: Caller) -> None:
    """404 as for an unknown code, and no click, until it is enabled; both are recorded (C-95)."""
    await caller.sent(sms=[SEE], urlShortener=shortener())
    path = URL(await address(caller)).path
    lever = f"/short-links/{path.removeprefix('/s/')}"
    await visit(caller, path)
    disabled = await caller.operated("POST", f"{lever}/disable")
    again = await caller.operated("POST", f"{lever}/disable")
    refused = [await visit(caller, path, method) for method in ("GET", "HEAD")]
    nowhere = await visit(caller, "/s/" + "x" * 16)
    enabled = await caller.operated("POST", f"{lever}/enable")
    led = await visit(caller, path)

    assert disabled["disabledAt"] is not None
    assert disabled == again
    assert [404, 404] == [each.status for each in refused]
    assert nowhere.error == refused[0].error
    assert enabled == {**disabled, "disabledAt": None}
    assert (1, MENU) == (enabled["clicks"], enabled["url"])
    assert 302 == led.status
    assert [
        "ShortLinkCreated",
        "ShortLinkClicked",
        "ShortLinkDisabled",
        "ShortLinkEnabled",
        "ShortLinkClicked",
    ] == await caller.story(enabled["id"])


async def test_a_lever_of_no_link_is_404(caller: Caller) -> None:
    """For any code."""
    for code in ("x" * 16, "x", "%20"):
        reply = await caller.operate("POST", f"/short-links/{code}/disable")
        assert (404, "not_found") == reply.refusal
