"""Providers get the answers that they expect, and their reports reach the account concerned (C-70, C-99)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from attrs import evolve, frozen

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import Serving, listening
from tests.entrypoints.messaging.sends import RECIPIENT, SMS
from tests.fakes.hearing import ANSWER, HearingProvider, about
from tests.fakes.signing import SECRET, SIGNATURE, inbound, letter, receipt, signature
from watchword.application.errors import UnavailableError
from watchword.application.messages.tracking import receiving_provider_webhooks
from watchword.application.messages.tracking.recording_reports import RecordingReports
from watchword.application.ports.channels import Heard, Post
from watchword.domain.receipt import ReceiptStatus
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.listener import large_posts
from watchword.entrypoints.settings import Settings

PUBLIC = "https://pins.example.com"
DELIVERED = ReceiptStatus.DELIVERED


@frozen
class Courier:
    """A provider, and a client of a service with channel accounts of it."""

    provider: HearingProvider
    caller: Caller

    async def account(self, phone: str, secret: str = SECRET, **more: Any) -> str:
        """Create a channel account with this phone."""
        made = await self.caller.operated(
            "POST",
            "/channel-accounts",
            {
                "name": phone,
                "channelType": "sms",
                "provider": "courier",
                "sender": phone,
                "config": {"secret": secret, "phone": phone},
                **more,
            },
        )
        return str(made["id"])

    async def post(self, account: str, body: bytes, secret: str = SECRET) -> Reply:
        """Post a signed letter to the address of an account."""
        headers = {SIGNATURE: signature(body, secret), "Content-Type": "text/x-letter"}
        nobody = self.caller.using(None)
        return await nobody.post(f"/callbacks/{account}", data=body, headers=headers)

    async def ask(self, path: str, method: str = "GET", **headers: str) -> Reply:
        """Call a path without a key."""
        return await self.caller.using(None).ask(method, path, headers=headers)

    async def sent(self, phone: str) -> str:
        """Send a message through the account with this phone."""
        body = await self.caller.sent(sms=[{**SMS, "sender": phone}])
        return str(body["data"][0]["messageId"])

    async def status(self, message_id: str) -> str:
        """Return the status of a message."""
        return str((await self.caller.standing(message_id))["status"])


@pytest.fixture
async def courier(serving: Serving) -> AsyncIterator[Courier]:
    """Yield a service with the courier, which the world knows under a public URL."""
    provider = HearingProvider()
    async with serving(providers={"courier": provider}, public_url=PUBLIC) as caller:
        yield Courier(provider, caller)


async def test_a_challenge_is_answered_as_the_provider_expects(courier: Courier) -> None:
    """The challenge comes back as plain text, and no browser takes it for a page."""
    account = await courier.account("C-1")
    path = f"/callbacks/{account}?token={SECRET.replace(' ', '+')}&challenge=4%2F7"
    reply = await courier.ask(path)

    assert (200, b"4/7") == (reply.status, reply.body)
    assert "text/plain" == reply.headers["Content-Type"]
    assert "nosniff" == reply.headers["X-Content-Type-Options"]
    assert "sandbox" in reply.headers["Content-Security-Policy"].split("; ")
    assert reply.headers["X-Request-Id"]


async def test_a_challenge_with_a_wrong_token_is_refused_in_the_providers_form(
    courier: Courier,
) -> None:
    """The adapter chooses the status of its answer."""
    account = await courier.account("C-1")
    reply = await courier.ask(f"/callbacks/{account}?token=guessed&challenge=47")

    assert (403, b"Wrong token.") == (reply.status, reply.body)


async def test_the_answer_to_a_post_is_the_providers(courier: Courier) -> None:
    """A service that answers JSON where XML is expected would be called out of order."""
    account = await courier.account("C-1")
    reply = await courier.post(account, letter(inbound("n-1", RECIPIENT, "C-1", "Is it ready?")))

    assert (200, ANSWER, "text/xml") == (reply.status, reply.body, reply.headers["Content-Type"])
    assert ["inbound"] == [each["direction"] for each in await courier.caller.history()]


@pytest.mark.parametrize(
    ("heard", "status", "body"),
    [
        (Heard(status=202), 202, b'{"status":"success"}'),
        (Heard(status=204), 204, b""),
        (Heard(content_type="text/plain"), 200, b""),
    ],
    ids=["JSON", "no content", "empty text"],
)
async def test_an_answer_has_the_providers_status(
    courier: Courier,
    monkeypatch: pytest.MonkeyPatch,
    heard: Heard,
    status: int,
    body: bytes,
) -> None:
    """Without a content type it is the service's JSON, where the status allows a body."""

    async def hear(config: object, post: Post) -> Heard:
        return heard

    account = await courier.account("C-1")
    monkeypatch.setattr(courier.provider, "hear", hear)
    reply = await courier.ask(f"/callbacks/{account}", "POST")

    assert (status, body) == (reply.status, reply.body)


async def test_an_adapter_sees_the_address_that_its_provider_called(courier: Courier) -> None:
    """The public URL, the path and the query as it was sent; the request's host is another's."""
    account = await courier.account("C-1")
    query = "a=1%20+2&a=%C3%A9&b"
    await courier.ask(f"/callbacks/{account}?{query}", "POST", **{"X-Courier-Hint": "Seven"})
    (post,) = courier.provider.posts

    assert ("POST", f"{PUBLIC}/callbacks/{account}?{query}") == (post.method, post.url)
    assert "Seven" == post.headers["x-courier-hint"]


async def test_without_a_public_url_the_address_is_where_the_service_listens(
    serving: Serving,
) -> None:
    """As in all answers that name an address (C-1)."""
    courier_provider = HearingProvider()
    async with serving(providers={"courier": courier_provider}) as caller:
        courier = Courier(courier_provider, caller)
        account = await courier.account("C-1")
        await courier.ask(f"/callbacks/{account}", "POST", Host="localhost")
        (post,) = courier_provider.posts
        address = str(caller.endpoint.make_url(f"/callbacks/{account}"))

    assert address == post.url


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE"])
async def test_other_methods_are_405(courier: Courier, method: str) -> None:
    """Nothing of them reaches the adapter."""
    account = await courier.account("C-1")
    reply = await courier.ask(f"/callbacks/{account}?token=x", method)

    assert 405 == reply.status
    assert {"GET", "POST"} <= {*reply.headers["Allow"].split(",")}
    assert [] == courier.provider.posts


async def test_a_get_for_an_unknown_account_is_404(courier: Courier) -> None:
    """As a post for one is."""
    reply = await courier.ask("/callbacks/cha_unknown?challenge=1")

    assert (404, "channel_account_not_found") == (reply.status, reply.json["code"])


async def test_an_unsigned_post_appends_nothing(courier: Courier) -> None:
    """It costs two reads of the channel account."""
    account = await courier.account("C-1")
    message_id = await courier.sent("C-1")
    before = (await courier.caller.operated("GET", "/events"))["next"]
    body = letter(receipt(f"courier-{message_id}", DELIVERED))
    reply = await courier.post(account, body, "another secret")

    assert 401 == reply.status
    assert before == (await courier.caller.operated("GET", "/events"))["next"]


async def test_parts_that_cannot_be_read_are_left_out(courier: Courier) -> None:
    """The rest is recorded, and the answer is 2xx: the provider would repeat them for days."""
    account = await courier.account("C-1")
    message_id = await courier.sent("C-1")
    good = receipt(f"courier-{message_id}", DELIVERED)
    reply = await courier.post(account, letter({"parcel": 7}, good, {"is": "lost"}))

    assert 200 == reply.status
    assert "delivered" == await courier.status(message_id)


async def test_a_report_is_handed_to_the_account_that_it_concerns(courier: Courier) -> None:
    """Another account of the same provider with the same secret; the event names that account."""
    called, concerned = await courier.account("C-1"), await courier.account("C-2")
    message_id = await courier.sent("C-2")
    news = about("C-2", receipt(f"courier-{message_id}", DELIVERED))
    reply = await courier.post(called, letter(news))

    assert 200 == reply.status
    assert "delivered" == await courier.status(message_id)
    assert concerned == (await courier.caller.events(message_id))[-1]["actor"]


async def test_a_report_that_concerns_the_called_account_stays_there(courier: Courier) -> None:
    """Also when another account has the same public settings."""
    await courier.account("C-1", name="older twin", sender="OLDER")
    called = await courier.account("C-1")
    message_id = await courier.sent("C-1")
    reply = await courier.post(
        called, letter(about("C-1", receipt(f"courier-{message_id}", DELIVERED)))
    )

    assert 200 == reply.status
    assert "delivered" == await courier.status(message_id)


@pytest.mark.parametrize("phone", ["C-2", "C-3"], ids=["another secret", "nobody"])
async def test_a_report_for_no_account_of_the_same_secret_is_dropped(
    courier: Courier, phone: str
) -> None:
    """It is answered as any other, so that the provider does not repeat it for days."""
    called = await courier.account("C-1")
    await courier.account("C-2", "of another shop")
    message_id = await courier.sent("C-2")
    news = about(phone, receipt(f"courier-{message_id}", DELIVERED))
    reply = await courier.post(called, letter(news))

    assert 200 == reply.status
    assert "accepted" == await courier.status(message_id)


async def test_a_report_is_not_addressed_by_what_a_secret_looks_like(courier: Courier) -> None:
    """All secrets read `***`, which addresses no account."""
    called = await courier.account("C-1")
    message_id = await courier.sent("C-1")
    news = about("***", receipt(f"courier-{message_id}", DELIVERED))
    reply = await courier.post(called, letter(news))

    assert 200 == reply.status
    assert "accepted" == await courier.status(message_id)


async def test_a_slow_adapter_is_503(courier: Courier, monkeypatch: pytest.MonkeyPatch) -> None:
    """An adapter that hangs holds no connection for ever."""

    async def hang(config: object, post: Post) -> Heard:
        await asyncio.Event().wait()
        return Heard()

    account = await courier.account("C-1")
    monkeypatch.setattr(courier.provider, "hear", hang)
    monkeypatch.setattr(receiving_provider_webhooks, "HEARING_SECONDS", 0.01)

    assert 503 == (await courier.ask(f"/callbacks/{account}", "POST")).status


async def test_large_posts_have_a_limit_together(
    courier: Courier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can begin one, so only so many are held in memory; small ones still pass."""
    account = await courier.account("C-1")
    monkeypatch.setattr(large_posts, "MOST_LARGE_POSTS", 0)
    news = letter(inbound("n-1", RECIPIENT, "C-1", "Is it ready?"))

    assert 503 == (await courier.post(account, news.ljust(large_posts.SMALL_POST + 1))).status
    assert 200 == (await courier.post(account, news.ljust(large_posts.SMALL_POST))).status


async def test_a_large_post_frees_its_place(
    courier: Courier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the answer, a refused one included, the next finds the place."""
    account = await courier.account("C-1")
    monkeypatch.setattr(large_posts, "MOST_LARGE_POSTS", 1)
    body = letter(inbound("n-1", RECIPIENT, "C-1", "Hi")).ljust(large_posts.SMALL_POST + 1)
    secrets = ("guessed", SECRET, "guessed", SECRET)

    assert [401, 200, 401, 200] == [
        (await courier.post(account, body, secret)).status for secret in secrets
    ]


async def test_reports_that_a_store_does_not_take_are_503(settings: Settings) -> None:
    """The answer is 503 and not the adapter's, so that the provider repeats the post."""

    class Unreachable(RecordingReports):
        """A store that is gone once a post has been read."""

        def __init__(self) -> None:
            """Need nothing."""

        async def record(self, *_: object) -> None:
            """Fail as the journal does."""
            raise UnavailableError

    provider = HearingProvider()
    async with wired(settings, providers={"courier": provider}) as parts:
        webhooks = parts.provider_webhooks
        webhooks._recording = Unreachable()
        async with listening(evolve(parts, provider_webhooks=webhooks)) as caller:
            courier = Courier(provider, caller)
            account = await courier.account("C-1")
            reply = await courier.post(account, letter())

    assert (503, "1") == (reply.status, reply.headers["Retry-After"])


async def test_a_new_secret_counts_from_its_change_on(courier: Courier) -> None:
    """Posts under the old one are refused at once, although their config was open in memory."""
    account = await courier.account("C-1")
    body = letter(inbound("n-1", RECIPIENT, "C-1", "Is it ready?"))
    before = (await courier.post(account, body)).status
    await courier.caller.operated(
        "PATCH", f"/channel-accounts/{account}", {"config": {"secret": "newer"}}
    )
    after = [(await courier.post(account, body, secret)).status for secret in (SECRET, "newer")]

    assert (200, [401, 200]) == (before, after)


async def test_a_disabled_account_hears_its_provider(courier: Courier) -> None:
    """It sends nothing; what was sent before is still reported (C-66)."""
    account = await courier.account("C-1")
    message_id = await courier.sent("C-1")
    await courier.caller.operated("POST", f"/channel-accounts/{account}/disable")
    reply = await courier.post(account, letter(receipt(f"courier-{message_id}", DELIVERED)))

    assert 200 == reply.status
    assert "delivered" == await courier.status(message_id)
