"""Log-ins by service account: one for many sends, kept for its time, and refused in words (C-63)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from attrs import define

from tests.adapters.channels.rcs_business.google import Google, config_at, error
from watchword.adapters.channels.rcs_business import RcsBusinessProvider
from watchword.adapters.channels.rcs_business.access_tokens import AccessToken, AccessTokens
from watchword.adapters.channels.rcs_business.service_accounts import ServiceAccount
from watchword.application.ports.channels import Accepted, Fault, Message, Rejected
from watchword.domain.channel import Channel
from watchword.testing import FakeContext, HttpAnswer, a_message


@define
class Clock:
    """The machine's clock, which does not move by itself."""

    seconds: float = 1_000.0

    def read(self) -> float:
        """Return the time."""
        return self.seconds


@asynccontextmanager
async def on(clock: Clock) -> AsyncIterator[RcsBusinessProvider]:
    """Yield an opened provider with a clock."""
    provider = RcsBusinessProvider(monotonic=clock.read)
    await provider.open(FakeContext())
    yield provider
    await provider.close()


def message(number: int = 1) -> Message:
    """Return the n-th message."""
    return a_message(number, channel=Channel.RCS)


async def test_fifty_sends_at_once_log_in_once(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """They share the log-in and its token."""
    config = config_at(google.url)
    answers = await asyncio.gather(*(provider.send(config, message(n)) for n in range(50)))

    assert {Accepted} == {type(each) for each in answers}
    assert 1 == google.log_ins


async def test_a_token_is_used_until_shortly_before_its_end(google: Google) -> None:
    """Then the next send logs in; a token that ended on its way would cost a message."""
    clock = Clock()
    google.lifetime = 3_600
    config = config_at(google.url)
    async with on(clock) as provider:
        for seconds, log_ins in ((0, 1), (3_539, 1), (2, 2)):
            clock.seconds += seconds
            assert isinstance(await provider.send(config, message(seconds)), Accepted)
            assert log_ins == google.log_ins


async def test_a_token_is_used_for_half_a_day_at_most(google: Google) -> None:
    """Whatever the answer says."""
    clock = Clock()
    google.lifetime = 10**400
    config = config_at(google.url)
    async with on(clock) as provider:
        await provider.send(config, message())
        clock.seconds += 43_200
        await provider.send(config, message())

    assert 2 == google.log_ins


@pytest.mark.parametrize("lifetime", [40, 0, -1])
async def test_a_short_token_is_used_for_a_part_of_its_time(google: Google, lifetime: int) -> None:
    """One without a sensible time is not used for ever, and none logs in for each send."""
    clock = Clock()
    google.lifetime = lifetime
    config = config_at(google.url)
    async with on(clock) as provider:
        for _ in range(2):
            assert isinstance(await provider.send(config, message()), Accepted)
        assert 1 == google.log_ins
        clock.seconds += 300
        await provider.send(config, message())

    assert 2 == google.log_ins


async def test_another_account_has_a_token_of_its_own(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """A changed service account logs in anew, and is not helped by the token of the one before."""
    config = config_at(google.url)
    first = await provider.send(config, message())
    account = {**config["serviceAccount"], "private_key_id": "other"}
    other = await provider.send({**config, "serviceAccount": account}, message())

    assert isinstance(first, Accepted)
    assert isinstance(other, Rejected)
    assert 2 == google.log_ins


async def test_a_token_that_google_does_not_accept_is_not_used_again(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """The send is rejected and not repeated; the next one logs in (D-293)."""
    config = config_at(google.url)
    await provider.send(config, message())
    google.refused_tokens.add(google.tokens[0])
    refused = await provider.send(config, message(2))
    posts = len(google.requests("POST"))
    taken = await provider.send(config, message(2))

    assert ("rcs_unauthenticated", Fault.ACCOUNT) == refused_as(refused)
    assert 2 == posts
    assert isinstance(taken, Accepted)
    assert 2 == google.log_ins


def refused_as(answer: object) -> tuple[str, Fault]:
    """Return the code and the fault of a rejection."""
    assert isinstance(answer, Rejected), answer
    return answer.code, answer.fault


@pytest.mark.parametrize(
    ("log_in", "code", "fault"),
    [
        (HttpAnswer.json({"error": "invalid_grant"}, 400), "rcs_log_in_refused", Fault.ACCOUNT),
        (HttpAnswer.json({"error": "invalid_client"}, 401), "rcs_log_in_refused", Fault.ACCOUNT),
        (HttpAnswer(status=403), "rcs_log_in_refused", Fault.ACCOUNT),
        (error(429, "RESOURCE_EXHAUSTED"), "rcs_log_in_busy", Fault.BUSY),
        (HttpAnswer(status=503), "rcs_log_in_busy", Fault.BUSY),
        (HttpAnswer(status=500), "rcs_log_in_failed", Fault.AWAY),
        (HttpAnswer.redirect("http://127.0.0.1:9"), "rcs_log_in_failed", Fault.AWAY),
        (HttpAnswer(cut_at=0), "rcs_log_in_cut", Fault.AWAY),
        (HttpAnswer.json({}), "rcs_log_in_unreadable", Fault.AWAY),
        (HttpAnswer(body=b"["), "rcs_log_in_unreadable", Fault.AWAY),
        (HttpAnswer.huge(), "rcs_log_in_unreadable", Fault.AWAY),
        (HttpAnswer.json({"access_token": "a\r\nX: y"}), "rcs_log_in_unreadable", Fault.AWAY),
        (HttpAnswer.json({"access_token": ""}), "rcs_log_in_unreadable", Fault.AWAY),
    ],
)
async def test_without_a_log_in_nothing_is_sent(
    provider: RcsBusinessProvider, google: Google, log_in: HttpAnswer, code: str, fault: Fault
) -> None:
    """The message is certainly not taken, so another account may send it (C-69)."""
    google.log_in = log_in
    answer = await provider.send(config_at(google.url), message())
    google.log_in = None
    later = await provider.send(config_at(google.url), message())

    assert (code, fault) == refused_as(answer)
    assert isinstance(later, Accepted)


async def test_a_silent_log_in_sends_nothing(google: Google) -> None:
    """The message was not written, so another account may send it."""
    provider = RcsBusinessProvider(log_in_seconds=0.05)
    google.log_in = HttpAnswer.silence()
    answer = await provider.send(config_at(google.url), message())
    await provider.close()

    assert ("rcs_log_in_timeout", Fault.AWAY) == refused_as(answer)
    assert [] == google.requests("POST")


async def test_many_sends_share_a_log_in_that_fails(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """Google is asked once, and each of them is told."""
    google.log_in = HttpAnswer.json({"error": "invalid_grant"}, 400)
    config = config_at(google.url)
    answers = await asyncio.gather(*(provider.send(config, message(n)) for n in range(20)))

    assert {("rcs_log_in_refused", Fault.ACCOUNT)} == {refused_as(each) for each in answers}
    assert 1 == google.log_ins


ACCOUNT = ServiceAccount(client_email="a", private_key="k", token_uri="https://t.example")


async def test_a_cancelled_send_leaves_the_log_in_to_the_others() -> None:
    """The caller cancels at its time limit; the log-in belongs to all."""
    may_answer = asyncio.Event()
    asked = []

    async def log_in(account: ServiceAccount) -> AccessToken:
        asked.append(account)
        await may_answer.wait()
        return AccessToken("ya29.one", 3_600)

    tokens = AccessTokens(log_in)
    first, second = (asyncio.create_task(tokens.of(ACCOUNT)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    with suppress(asyncio.CancelledError):
        await first
    may_answer.set()

    assert "ya29.one" == await second == await tokens.of(ACCOUNT)
    assert [ACCOUNT] == asked


async def test_a_close_ends_a_log_in_that_hangs() -> None:
    """Nothing is left behind when the service stops, and the provider can be opened again."""
    hangs = True

    async def log_in(_: ServiceAccount) -> AccessToken:
        if hangs:
            await asyncio.Event().wait()
        return AccessToken("ya29.two", 3_600)

    tokens = AccessTokens(log_in)
    waiting = asyncio.create_task(tokens.of(ACCOUNT))
    await asyncio.sleep(0)
    await tokens.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    hangs = False

    assert "ya29.two" == await tokens.of(ACCOUNT)


async def test_the_tokens_of_many_accounts_have_a_bound() -> None:
    """The one that was used longest ago logs in again."""
    asked: list[ServiceAccount] = []

    async def log_in(account: ServiceAccount) -> AccessToken:
        asked.append(account)
        return AccessToken(f"ya29.{account.client_email}", 3_600)

    tokens = AccessTokens(log_in)
    accounts = [
        ServiceAccount(client_email=f"{n}", private_key="k", token_uri="https://t.example")
        for n in range(1_001)
    ]
    for each in accounts:
        await tokens.of(each)
    await tokens.of(accounts[-1])
    before = len(asked)
    await tokens.of(accounts[0])

    assert 1_001 == before
    assert 1_002 == len(asked)
