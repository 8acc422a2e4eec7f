"""Sends by RCS Business Messaging: the request, and what each answer means (C-63, C-68)."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from tests.adapters.channels.rcs_business.google import AGENT, Google, config_at, error
from watchword.adapters.channels.rcs_business import RcsBusinessProvider
from watchword.adapters.channels.rcs_business.agent_messages import message_id_of
from watchword.adapters.channels.rcs_business.log_ins import LOG_IN_SECONDS
from watchword.adapters.channels.rcs_business.provider import CALL_SECONDS
from watchword.application.ports.channels import Accepted, Fault, Message, Rejected, Unknown
from watchword.domain.channel import Channel
from watchword.domain.rcs_template import MessageType, TextMessage
from watchword.testing import FaultyTcp, HttpAnswer, a_message, cuts


def message(number: int = 1, **changes: Any) -> Message:
    """Return the n-th message, with changes."""
    return a_message(number, channel=Channel.RCS, **changes)


async def test_a_message_goes_to_its_number_under_our_id(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """The id is a UUID of the reference, and the answer names it."""
    answer = await provider.send(
        config_at(google.url), message(destination="+447700900123", text="Tea is ready.")
    )
    (request,) = google.requests("POST")
    message_id = message_id_of(message().reference)

    assert Accepted(message_id) == answer
    assert 5 == uuid.UUID(message_id).version
    assert "/v1/phones/+447700900123/agentMessages" == request.path
    assert {"messageId": message_id, "agentId": AGENT} == request.query
    assert "application/json" == request.headers["content-type"]
    assert {
        "contentMessage": {"text": "Tea is ready."},
        "messageTrafficType": "SERVICEREQUEST",
    } == request.json()


@pytest.mark.parametrize(
    ("category", "traffic"),
    [
        (MessageType.OTP, "AUTHENTICATION"),
        (MessageType.TRANSACTIONAL, "TRANSACTION"),
        (MessageType.PROMOTIONAL, "PROMOTION"),
        (None, "SERVICEREQUEST"),
    ],
)
async def test_the_templates_category_is_the_traffic_type(
    provider: RcsBusinessProvider, google: Google, category: MessageType | None, traffic: str
) -> None:
    """Agents with several uses must name it; without a template, every agent may name a request."""
    content = TextMessage(text_message_content="Tea is ready.")
    await provider.send(config_at(google.url), message(rcs=content, rcs_type=category))
    (request,) = google.requests("POST")

    assert traffic == request.json()["messageTrafficType"]


@pytest.mark.parametrize(
    ("ttl", "sent"), [(60, "90s"), (1, "31s"), (172_800, "172830s"), (2_000_000, "1296000s")]
)
async def test_google_lets_a_message_end_after_we_do(
    provider: RcsBusinessProvider, google: Google, ttl: int, sent: str
) -> None:
    """So that our revoke, at its end, still finds it in the queue (D-289); Google keeps 15 days."""
    await provider.send(config_at(google.url), message(ttl_seconds=ttl))
    (request,) = google.requests("POST")

    assert sent == request.json()["ttl"]


@pytest.mark.parametrize("given", ["447700900123", "+447700900123"])
async def test_a_number_gets_its_plus(
    provider: RcsBusinessProvider, google: Google, given: str
) -> None:
    """That is the wire's spelling; nothing else of a destination changes."""
    await provider.send(config_at(google.url), message(destination=given))
    (request,) = google.requests("POST")

    assert "/v1/phones/+447700900123/agentMessages" == request.path


@pytest.mark.parametrize(
    "given", ["", "rosa", "+", "07700 900123", "+4477/../x", "12345", "+0" * 9]
)
async def test_what_is_no_number_is_not_sent(
    provider: RcsBusinessProvider, google: Google, given: str
) -> None:
    """Nothing of it comes into an address."""
    answer = await provider.send(config_at(google.url), message(destination=given))

    assert isinstance(answer, Rejected)
    assert ("rcs_invalid_number", Fault.RECIPIENT) == (answer.code, answer.fault)
    assert [] == google.requests("POST")


@pytest.mark.parametrize(
    ("status", "name", "code", "fault"),
    [
        (400, "INVALID_ARGUMENT", "rcs_invalid_argument", Fault.CONTENT),
        (400, "FAILED_PRECONDITION", "rcs_400", Fault.CONTENT),
        (400, "+447700900123 IS WRONG", "rcs_400", Fault.CONTENT),
        (401, "UNAUTHENTICATED", "rcs_unauthenticated", Fault.ACCOUNT),
        (403, "PERMISSION_DENIED", "rcs_permission_denied", Fault.ACCOUNT),
        (404, "NOT_FOUND", "rcs_not_found", Fault.RECIPIENT),
        (413, "", "rcs_413", Fault.CONTENT),
        (429, "RESOURCE_EXHAUSTED", "rcs_resource_exhausted", Fault.BUSY),
        (503, "UNAVAILABLE", "rcs_unavailable", Fault.BUSY),
    ],
)
async def test_each_refusal_has_its_code_and_fault(
    provider: RcsBusinessProvider, google: Google, status: int, name: str, code: str, fault: Fault
) -> None:
    """The code is Google's name of the error, or the status; nothing else of the answer is kept."""
    google.send = error(status, name, "the number +447700900123 with 4711")
    answer = await provider.send(config_at(google.url), message())

    assert isinstance(answer, Rejected)
    assert (code, fault) == (answer.code, answer.fault)
    assert [] == [each for each in ("4477", "4711") if each in answer.message]


async def test_a_busy_google_says_for_how_long(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """The channel account pauses so long (C-69)."""
    google.send = error(429, "RESOURCE_EXHAUSTED").but(headers={"Retry-After": "7"})
    answer = await provider.send(config_at(google.url), message())

    assert isinstance(answer, Rejected)
    assert 7 == answer.retry_after


@pytest.mark.parametrize(
    "answer",
    [
        HttpAnswer(status=500),
        HttpAnswer(status=502),
        HttpAnswer(status=504),
        HttpAnswer(cut_at=0),
        HttpAnswer.json({}),
        HttpAnswer.json({"name": "phones/+1/agentMessages/another"}),
        HttpAnswer.json([]),
        HttpAnswer.redirect("http://127.0.0.1:9"),
        error(409, "ABORTED"),
        HttpAnswer(status=409),
    ],
)
async def test_a_doubtful_answer_is_unknown_with_our_id(
    provider: RcsBusinessProvider, google: Google, answer: HttpAnswer
) -> None:
    """The id is ours, so a receipt and a revoke find the message all the same (C-68)."""
    google.send = answer
    said = await provider.send(config_at(google.url), message())

    assert isinstance(said, Unknown)
    assert message_id_of(message().reference) == said.provider_message_id


async def test_a_silent_google_leaves_the_outcome_unknown_in_time(google: Google) -> None:
    """With our id, and before the service cancels a first attempt, after which it repeats it (D-294)."""
    provider = RcsBusinessProvider(call_seconds=0.1)
    config = config_at(google.url)
    await provider.probe(config)
    google.send = HttpAnswer.silence()
    silent = await provider.send(config, message(2))
    await provider.close()

    assert isinstance(silent, Unknown)
    assert ("provider_timeout", message_id_of(message(2).reference)) == (
        silent.code,
        silent.provider_message_id,
    )
    assert 0.6 * 10 > CALL_SECONDS > LOG_IN_SECONDS


async def test_an_id_that_google_has_already_is_accepted(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """Nobody else makes it: an earlier request, whose answer was lost, arrived."""
    google.send = error(409, "ALREADY_EXISTS")
    answer = await provider.send(config_at(google.url), message())

    assert Accepted(message_id_of(message().reference)) == answer


async def test_an_unknown_send_is_repeated_without_harm(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """Google ignores an id that it has seen, also from another process."""
    config = config_at(google.url)
    first = await provider.send(config, message())
    other = RcsBusinessProvider()
    again = await other.send(config, message())
    await other.close()

    assert provider.deduplicates
    assert first == again
    assert 1 == len(google.taken)
    assert 2 == len(google.requests("POST"))


async def test_half_of_a_character_is_not_sent(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """JSON has no such text."""
    answer = await provider.send(config_at(google.url), message(text="tea \ud83d"))

    assert isinstance(answer, Rejected)
    assert ("rcs_text_refused", Fault.CONTENT) == (answer.code, answer.fault)
    assert [] == google.web.requests


async def test_no_cut_is_a_rejection_after_google_took_the_message(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """Log-in and send, cut at random bytes; WATCHWORD_CUTS=1000 cuts more (C-68)."""
    async with FaultyTcp(google.web.port) as proxy:
        config = config_at(google.url) | {"baseUrl": f"http://{proxy.host}:{proxy.port}"}
        tally = await cuts(provider, config, proxy, lambda: len(google.taken), message)

    assert [] == tally.wrong
    assert tally.answers["Accepted"] > 0
    assert tally.answers["Unknown"] > 0
    assert 0 < tally.taken < tally.cut
