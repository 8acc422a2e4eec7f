"""Answers that are lost between the service and its client, and a service that is killed meanwhile."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.crash.server import Server
from tests.crash.server import serving as serving_apart
from tests.entrypoints.caller import DESTINATION, Caller
from tests.entrypoints.client.conftest import Opening, Pauses
from tests.entrypoints.conftest import Listening, Serving
from tests.fakes.providers import HesitantProvider
from watchword.client import AnswerLostError, PinIncorrectError, SmsMessage
from watchword.entrypoints.demo.seeding import TEMPLATE_ID
from watchword.testing import FaultyTcp

SMS = SmsMessage(sender="TEAHSE", recipient="+15550100", type="SI", message_body="Tea is ready.")
# Within the status line of an answer.
EARLY = 9


def port_of(caller: Caller) -> int:
    """Return the port of the service that `caller` calls."""
    port = caller.endpoint.make_url("").port
    assert port is not None
    return port


async def test_a_lost_answer_is_no_second_code(opening: Opening, caller: Caller) -> None:
    """The next attempt gets the first one's answer, and one code goes out: for creates and resends."""
    async with (
        FaultyTcp(port_of(caller)) as proxy,
        opening(f"http://127.0.0.1:{proxy.port}", pauses=Pauses()) as client,
    ):
        proxy.cut(received=EARLY)
        pin = await client.pins.issue(TEMPLATE_ID, DESTINATION)
        assert not proxy.armed
        assert 1 == len(await caller.outbox())

        await caller.advance(31)
        proxy.cut(received=EARLY)
        await client.pins.resend(pin.pin_id)
        assert not proxy.armed
        assert 2 == len(await caller.outbox())
        verified = await client.pins.verify(pin.pin_id, await caller.code())

    assert "VERIFIED" == verified.status


async def test_a_lost_answer_is_no_second_message(opening: Opening, caller: Caller) -> None:
    """The entries of the answer are those of the message that went out."""
    async with (
        FaultyTcp(port_of(caller)) as proxy,
        opening(f"http://127.0.0.1:{proxy.port}", pauses=Pauses()) as client,
    ):
        proxy.cut(received=EARLY)
        sent = await client.messages.send(sms=[SMS])

    assert not proxy.armed
    (outgoing,) = await caller.outbox()
    assert outgoing["messageId"] == sent.messages[0].message_id


async def test_a_lost_verdict_is_not_asked_for_again(opening: Opening, caller: Caller) -> None:
    """A wrong guess that was judged once uses one attempt; the caller sees how the PIN stands (D-533)."""
    async with (
        FaultyTcp(port_of(caller)) as proxy,
        opening(f"http://127.0.0.1:{proxy.port}", pauses=Pauses()) as client,
    ):
        pin = await client.pins.issue(TEMPLATE_ID, DESTINATION)
        proxy.cut(received=EARLY)
        with pytest.raises(AnswerLostError):
            await client.pins.verify(pin.pin_id, await caller.wrong_code())
        assert 4 == (await client.pins.get(pin.pin_id)).attempts_remaining

        await caller.advance(4)
        proxy.cut(received=EARLY)
        with pytest.raises(AnswerLostError):
            await client.pins.verify(pin.pin_id, await caller.code())
        assert "VERIFIED" == (await client.pins.get(pin.pin_id)).status


@pytest.mark.stores("sqlite")
async def test_a_send_in_flight_is_waited_for(opening: Opening, serving: Serving) -> None:
    """The client leaves a slow send at its time-out, and gets that send's answer when it is there."""
    provider = HesitantProvider()

    async def answer_after_a_refusal() -> None:
        if len(pauses.made) == 2:
            provider.may_answer.set()

    pauses = Pauses(answer_after_a_refusal)
    async with (
        serving(providers={"sandbox": provider}) as caller,
        opening(str(caller.endpoint.make_url("")), pauses=pauses, attempt_timeout=1.0) as client,
    ):
        sent = await client.messages.send(sms=[SMS])

    assert len(pauses.made) >= 2
    assert "accepted" == sent.messages[0].status
    assert [sent.messages[0].message_id] == [each.reference for each in provider.messages]


async def test_a_refused_guess_is_made_again(opening: Opening, caller: Caller) -> None:
    """The verify rate refuses without judging, so the client waits for it and the guess counts once."""

    async def pass_by() -> None:
        await caller.advance(3)

    pauses = Pauses(pass_by)
    async with opening(str(caller.endpoint.make_url("")), pauses=pauses) as client:
        pin = await client.pins.issue(TEMPLATE_ID, DESTINATION)
        wrong = await caller.wrong_code()
        remaining = []
        for _ in range(2):
            with pytest.raises(PinIncorrectError) as incorrect:
                await client.pins.verify(pin.pin_id, wrong)
            remaining.append(incorrect.value.attempts_remaining)

    assert [4, 3] == remaining
    assert 1 == len(pauses.made)


async def test_a_call_outlives_a_kill(opening: Opening, tmp_path: Path) -> None:
    """
    The answer is lost, the service is killed and started anew, and the call ends with its first PIN.

    The answer was durable before it went out, under the key that the next attempt repeats.
    """
    async with AsyncExitStack() as servers:
        server: Server = await servers.enter_async_context(serving_apart(tmp_path))
        port = server.base.rpartition(":")[2]

        async def kill() -> None:
            if len(pauses.made) == 1:
                server.kill()
                await server.ended(10)
            elif len(pauses.made) == 2:
                await servers.enter_async_context(serving_apart(tmp_path, "--port", port))

        pauses = Pauses(kill)
        proxy = await servers.enter_async_context(FaultyTcp(int(port)))
        url = f"http://127.0.0.1:{proxy.port}"
        client = await servers.enter_async_context(opening(url, pauses=pauses))
        proxy.cut(received=EARLY)
        pin = await client.pins.issue(TEMPLATE_ID, DESTINATION, reference_id="order-1")

        # The second attempt met nobody, the third the new service.
        assert 2 == len(pauses.made)
        assert "PENDING" == (await client.pins.get(pin.pin_id)).status
        async with ClientSession() as session:
            found = await Caller(session, Listening(int(port))).operated(
                "GET", "/verifications?referenceId=order-1&account=demo"
            )
        assert [pin.pin_id] == [each["pinId"] for each in found["data"]]
