"""Which calls are made again, when, and for how long."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from attrs import frozen

from tests.entrypoints.client.conftest import Opening, Pauses
from watchword.client import (
    AnswerLostError,
    AsyncClient,
    DispatchFailedError,
    IdempotencyInProgressError,
    InternalError,
    RateLimitedError,
    RcsTemplateData,
    RequestTimeoutError,
    ResendCooldownError,
    SmsMessage,
    UnavailableError,
    UnreachableError,
    UnreadableAnswerError,
    Upload,
    WatchwordError,
    WhatsappComponent,
)
from watchword.testing import FaultyHttp, FaultyTcp, HttpAnswer

PIN = {
    "pinId": "pin_1",
    "status": "PENDING",
    "expiresAt": "2031-05-04T12:00:00Z",
    "attemptsRemaining": 5,
    "channels": [{"channel": "sms", "status": "accepted", "providerMessageId": "m-1"}],
}
SENT = {"status": "success", "requestId": "r-1", "data": []}
PAGE = {"page_details": {"pageNo": 0, "limit": 25}, "data": []}
LOST = HttpAnswer(cut_at=0)
PROXYS = HttpAnswer.text("<h1>Bad Gateway</h1>", 502)
BUSY = HttpAnswer.text("slow down", 429)


def refusal(status: int, code: str, retry_after: str | None = None) -> HttpAnswer:
    """Return a refusal in the envelope, or of the messaging endpoints: both forms in one."""
    told: dict[str, Any] = {"code": code, "message": "No tea.", "requestId": "r-1", "details": {}}
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return HttpAnswer.json({**told, "error": told}, status).but(headers=headers)


@frozen
class Kind:
    """A call, and what the service answers to it."""

    make: Callable[[AsyncClient], Awaitable[Any]]
    answer: HttpAnswer


READS = Kind(
    lambda client: client.pins.get("pin_1"),
    HttpAnswer.json(
        PIN
        | {
            "referenceId": None,
            "channels": [],
            "createdAt": PIN["expiresAt"],
            "updatedAt": PIN["expiresAt"],
        }
    ),
)
SETS = Kind(
    lambda client: client.opt_lists.add("in", ["+15550100"]),
    HttpAnswer.json({"status": "success", "data": {"added": 1, "unchanged": 0}}),
)
ISSUES = Kind(lambda client: client.pins.issue("tpl", "+15550100"), HttpAnswer.json(PIN, 201))
RESENDS = Kind(lambda client: client.pins.resend("pin_1"), HttpAnswer.json(PIN))
SENDS = Kind(
    lambda client: client.messages.send(
        sms=[SmsMessage(sender="T", recipient="+15550100", type="SI", message_body="Tea")]
    ),
    HttpAnswer.json(SENT),
)
VERIFIES = Kind(
    lambda client: client.pins.verify("pin_1", "123456"),
    HttpAnswer.json({"pinId": "pin_1", "status": "VERIFIED", "attemptsRemaining": 5}),
)
CREATES_TEMPLATE = Kind(
    lambda client: client.whatsapp_templates.create(
        name="t", language="en", category="UTILITY", components=[WhatsappComponent(type="BODY")]
    ),
    HttpAnswer.json({"id": "t-1", "status": "Pending", "category": "UTILITY"}, 201),
)
CREATES_RCS_TEMPLATE = Kind(
    lambda client: client.rcs_templates.create(
        RcsTemplateData(name="t", type="text_message"),
        sender_profile_name="T",
        update_by="t",
        message_type="OTP",
    ),
    HttpAnswer.json({}),
)
UPLOADS = Kind(
    lambda client: client.media.upload_for_whatsapp(Upload("t.png", b"tea")),
    HttpAnswer.json({"id": "m-1", "status": "success", "http_status": 200}),
)
KEYED = [ISSUES, RESENDS, SENDS]
REPEATABLE = [READS, SETS, *KEYED]
ONCE = [VERIFIES, CREATES_TEMPLATE, UPLOADS]


@pytest.mark.parametrize("fault", [LOST, refusal(503, "unavailable"), PROXYS, BUSY])
@pytest.mark.parametrize("kind", REPEATABLE)
async def test_a_call_is_made_again(opening: Opening, kind: Kind, fault: HttpAnswer) -> None:
    """A read, a change of a list, and whatever has a key, which is the same at each attempt."""
    pauses = Pauses()
    async with (
        FaultyHttp(fault, fault, kind.answer) as web,
        opening(web.url, pauses=pauses) as client,
    ):
        await kind.make(client)

    keys = [each.headers.get("idempotency-key") for each in web.requests]
    assert 3 == len(web.requests)
    assert 2 == len(pauses.made)
    assert 1 == len({each.body for each in web.requests})
    assert 1 == len({*keys})
    assert (kind in KEYED) == (keys[0] is not None)


@pytest.mark.parametrize(
    ("fault", "raised"),
    [
        (LOST, AnswerLostError),
        (refusal(503, "unavailable"), UnavailableError),
        (refusal(503, "unavailable", "1"), UnavailableError),
        (PROXYS, UnreadableAnswerError),
    ],
)
@pytest.mark.parametrize("kind", [*ONCE, CREATES_RCS_TEMPLATE])
async def test_a_call_that_may_have_done_something_is_not_made_again(
    opening: Opening, kind: Kind, fault: HttpAnswer, raised: type[WatchwordError]
) -> None:
    """A guess may have been judged, and a template or file may be there (D-533)."""
    async with FaultyHttp(fault, kind.answer) as web, opening(web.url) as client:
        with pytest.raises(raised):
            await kind.make(client)

    assert 1 == len(web.requests)


@pytest.mark.parametrize(
    "fault", [refusal(429, "rate_limited", "2"), refusal(408, "request_timeout"), BUSY]
)
@pytest.mark.parametrize("kind", ONCE)
async def test_any_call_is_made_again_if_it_did_nothing(
    opening: Opening, kind: Kind, fault: HttpAnswer
) -> None:
    """A rate refuses before a guess is judged, so it uses no attempt (C-14)."""
    async with (
        FaultyHttp(fault, kind.answer) as web,
        opening(web.url, pauses=Pauses()) as client,
    ):
        await kind.make(client)

    assert 2 == len(web.requests)


@pytest.mark.parametrize(
    ("fault", "raised"),
    [
        (refusal(500, "internal_error"), InternalError),
        (refusal(502, "dispatch_failed"), DispatchFailedError),
        (refusal(429, "resend_cooldown", "1"), ResendCooldownError),
        (HttpAnswer.redirect("http://127.0.0.1:9/tea"), UnreadableAnswerError),
        (HttpAnswer.json([1, 2]), UnreadableAnswerError),
        (HttpAnswer.text("tea"), UnreadableAnswerError),
        (HttpAnswer.text("tea", 500), UnreadableAnswerError),
        (HttpAnswer.text('{"tea":' * 50_000), UnreadableAnswerError),
        (HttpAnswer.text('{"error":' * 50_000, 400), UnreadableAnswerError),
        (HttpAnswer.json({"error": "tea"}, 400), UnreadableAnswerError),
        (HttpAnswer(body=b'{"pinId":"\xff"}'), UnreadableAnswerError),
        (HttpAnswer(status=400, body=b'{"message":"\xff"}'), UnreadableAnswerError),
    ],
)
@pytest.mark.parametrize("kind", [ISSUES, VERIFIES])
async def test_an_answer_that_says_no_ends_the_call(
    opening: Opening, kind: Kind, fault: HttpAnswer, raised: type[WatchwordError]
) -> None:
    """A saved 500 or 502 would only be repeated, and a cooldown is not retried by itself (SPEC 7)."""
    async with FaultyHttp(fault, kind.answer) as web, opening(web.url) as client:
        with pytest.raises(raised):
            await kind.make(client)

    assert 1 == len(web.requests)


async def test_a_call_in_flight_is_waited_for(opening: Opening) -> None:
    """After a time-out, the first attempt may still be dispatching; its answer is then the call's (C-10)."""
    pauses = Pauses()
    wait = refusal(409, "idempotency_in_progress", "30")
    async with (
        FaultyHttp(LOST, *[wait] * 9, ISSUES.answer) as web,
        opening(web.url, pauses=pauses, random=lambda: 0.5, attempts=2) as client,
    ):
        pin = await client.pins.issue("tpl", "+15550100")

    assert "pin_1" == pin.pin_id
    assert [0.125, 0.25, 0.5, 1.0, 2.0, *[2.5] * 5] == pauses.made
    assert 1 == len({each.headers["idempotency-key"] for each in web.requests})


async def test_a_call_in_flight_is_waited_for_until_the_deadline(opening: Opening) -> None:
    """The error then says when the key is free at the latest."""
    pauses = Pauses()
    async with (
        FaultyHttp(refusal(409, "idempotency_in_progress", "30")) as web,
        opening(web.url, pauses=pauses, random=lambda: 1.0) as client,
    ):
        with pytest.raises(IdempotencyInProgressError) as refused:
            await client.pins.issue("tpl", "+15550100", timeout=20)

    assert 30.0 == refused.value.retry_after
    assert 10 < sum(pauses.made) < 20


async def test_a_wait_that_passes_the_deadline_is_told_at_once(opening: Opening) -> None:
    """The caller learns how long it would have to wait, and does not wait for it."""
    pauses = Pauses()
    for answer, raised in (
        (refusal(429, "rate_limited", "3600"), RateLimitedError),
        (refusal(503, "unavailable", "3600"), UnavailableError),
        (refusal(408, "request_timeout", "9" * 400), RequestTimeoutError),
    ):
        async with FaultyHttp(answer) as web, opening(web.url, pauses=pauses) as client:
            with pytest.raises(raised) as refused:
                await client.pins.issue("tpl", "+15550100", timeout=60)
        assert refused.value.retry_after is not None
        assert refused.value.retry_after >= 3600
        assert 1 == len(web.requests)
    assert [] == pauses.made


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "4"}, 4.0),
        (
            {
                "Retry-After": "Sun, 04 May 2031 12:00:09 GMT",
                "Date": "Sun, 04 May 2031 12:00:00 GMT",
            },
            9.0,
        ),
        ({"Retry-After": "Sun, 04 May 2031 12:00:09 GMT"}, 0.0),
        ({"Retry-After": "tea"}, 0.0),
        ({"Retry-After": "-5"}, 0.0),
        (
            {
                "Retry-After": "Sun, 04 May 2031 11:00:00 GMT",
                "Date": "Sun, 04 May 2031 12:00:00 GMT",
            },
            0.0,
        ),
    ],
)
async def test_retry_after_is_seconds_or_a_time(
    opening: Opening, headers: dict[str, str], seconds: float
) -> None:
    """A proxy's time counts from its own clock, and what is neither is no wait."""
    pauses = Pauses()
    async with (
        FaultyHttp(BUSY.but(headers=headers), ISSUES.answer) as web,
        opening(web.url, pauses=pauses, random=lambda: 0.0) as client,
    ):
        await client.pins.issue("tpl", "+15550100")

    assert [seconds] == pauses.made


async def test_pauses_grow_and_have_jitter(opening: Opening) -> None:
    """Their bound doubles up to 5 s, each is a random part of it, and attempts are bounded."""
    longest, half = Pauses(), Pauses()
    async with FaultyHttp(LOST) as web:
        async with opening(web.url, pauses=longest, random=lambda: 1.0) as client:
            with pytest.raises(AnswerLostError):
                await client.pins.issue("tpl", "+15550100")
        async with opening(web.url, pauses=half, random=lambda: 0.5, attempts=3) as client:
            with pytest.raises(AnswerLostError):
                await client.pins.issue("tpl", "+15550100")

    assert [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0] == longest.made
    assert [0.125, 0.25] == half.made
    assert 8 + 3 == len(web.requests)


async def test_the_deadline_ends_a_call(opening: Opening) -> None:
    """No attempt is made after it, whatever the number of attempts that are left."""
    pauses = Pauses()
    async with (
        FaultyHttp(LOST) as web,
        opening(web.url, pauses=pauses, random=lambda: 1.0, timeout=60) as client,
    ):
        with pytest.raises(AnswerLostError):
            await client.pins.issue("tpl", "+15550100", timeout=2.0)

    assert [0.25, 0.5, 1.0] == pauses.made
    assert 4 == len(web.requests)


async def test_nobody_listens(opening: Opening) -> None:
    """Nothing was done, so each call is made again, and says so at its end."""
    pauses = Pauses()
    async with FaultyTcp(9) as proxy:
        await proxy.refuse()
        async with opening(f"http://127.0.0.1:{proxy.port}", pauses=pauses, attempts=3) as client:
            with pytest.raises(UnreachableError):
                await client.pins.verify("pin_1", "123456")

    assert 2 == len(pauses.made)


async def test_a_silent_service_is_left_at_the_time_out(opening: Opening) -> None:
    """Each attempt has its own time, within the call's."""
    async with (
        FaultyHttp(HttpAnswer.silence()) as web,
        opening(web.url, timeout=0.5, attempt_timeout=0.1, random=lambda: 0.0) as client,
    ):
        with pytest.raises(AnswerLostError):
            await client.pins.issue("tpl", "+15550100")
        assert 2 <= len(web.requests) <= 8
        before = len(web.requests)
        with pytest.raises(AnswerLostError):
            await client.pins.verify("pin_1", "123456")
        assert before + 1 == len(web.requests)


async def test_an_answer_that_drips_is_left_at_the_time_out(opening: Opening) -> None:
    """Bytes that keep coming do not keep a call alive."""
    long = HttpAnswer.json({"tea": "x" * 100_000})
    async with (
        FaultyHttp(long) as web,
        FaultyTcp(web.port) as proxy,
        opening(f"http://127.0.0.1:{proxy.port}", timeout=0.5, attempt_timeout=0.5) as client,
    ):
        proxy.drip(0.001)
        with pytest.raises(AnswerLostError):
            await client.pins.get("pin_1")


async def test_a_huge_answer_is_not_read(opening: Opening) -> None:
    """An answer has a bound, and is no answer of ours behind it."""
    async with (
        FaultyHttp(HttpAnswer.huge()) as web,
        opening(web.url, max_answer_bytes=1_000_000) as client,
    ):
        with pytest.raises(UnreadableAnswerError, match="too long"):
            await client.pins.get("pin_1")


async def test_redirects_are_not_followed(opening: Opening) -> None:
    """A key goes to the base URL's host and nowhere else."""
    async with FaultyHttp(READS.answer) as other:
        for status in (301, 302, 303, 307, 308):
            async with (
                FaultyHttp(HttpAnswer.redirect(other.url, status)) as web,
                opening(web.url) as client,
            ):
                with pytest.raises(UnreadableAnswerError) as refused:
                    await client.pins.get("pin_1")
            assert status == refused.value.status

    assert [] == other.requests


async def test_the_url_may_have_a_path(opening: Opening) -> None:
    """Behind a proxy, the service's own paths follow the prefix, and the key's header is that of the path."""
    async with (
        FaultyHttp(ISSUES.answer, SENDS.answer) as web,
        opening(f"{web.url}/tea/house/", "own-key") as client,
    ):
        await ISSUES.make(client)
        await SENDS.make(client)
    pins, messages = web.requests

    assert ["/tea/house/v1/pins", "/tea/house/oapi/send_sms"] == [pins.path, messages.path]
    assert ("Bearer own-key", None) == (
        pins.headers["authorization"],
        messages.headers.get("authorization"),
    )
    assert (None, "own-key") == (pins.headers.get("apikey"), messages.headers["apikey"])


async def test_an_id_stays_one_segment_of_the_path(opening: Opening) -> None:
    """What a user typed into an address reaches no other route."""
    async with FaultyHttp(READS.answer) as web, opening(web.url) as client:
        await client.pins.get("../templates?x=1#y")
        for nothing in ("", ".", ".."):
            with pytest.raises(ValueError, match="pin_id"):
                await client.pins.get(nothing)

    assert ["/v1/pins/..%2Ftemplates%3Fx%3D1%23y"] == [each.target for each in web.requests]


@pytest.mark.parametrize("key", ["", "tea time", "tea\n", "t\u00e9a", "x" * 256])
async def test_an_idempotency_key_is_checked(opening: Opening, key: str) -> None:
    """Before anything goes out (C-10)."""
    async with FaultyHttp(ISSUES.answer) as web, opening(web.url) as client:
        with pytest.raises(ValueError, match="Idempotency-Key"):
            await client.pins.issue("tpl", "+15550100", idempotency_key=key)

    assert [] == web.requests
