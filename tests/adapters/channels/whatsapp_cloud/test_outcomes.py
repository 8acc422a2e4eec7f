"""The outcomes of sends, by Meta's answers (C-68, C-69)."""

from __future__ import annotations

import pytest

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    CONFIG,
    GraphServer,
    a_whatsapp_message,
    error_body,
)
from watchword.adapters.channels.http_client import keep_alive
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.application.ports.channels import Accepted, Fault, Rejected, Unknown
from watchword.domain.channel import PROVIDER_TIMEOUT, PROVIDER_UNKNOWN
from watchword.testing import FaultyHttp, HttpAnswer

BUSY = (2, 4, 17, 613, 80007, 80008, 130429, 131056)
AWAY = (131016, 131057, 2494100)
RECIPIENT = (131026, 131030, 131047, 131049, 131050, 130472)
ACCOUNT = (0, 3, 10, 190, 200, 250, 299, 368, 131031, 131042, 131048, 131064, 133010)
CONTENT = (100, 131008, 131009, 132000, 132001, 132015, 132999)


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        *((code, Fault.BUSY) for code in BUSY),
        *((code, Fault.AWAY) for code in AWAY),
        *((code, Fault.RECIPIENT) for code in RECIPIENT),
        *((code, Fault.ACCOUNT) for code in ACCOUNT),
        *((code, Fault.CONTENT) for code in CONTENT),
    ],
)
async def test_metas_code_decides_before_the_status(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, code: int, fault: Fault
) -> None:
    """Meta asks for that; a 401 or 429 that carries another code is not what the status says (D-279)."""
    for status in (400, 401, 403, 404, 429):
        graph.errors = [(status, error_body(code))]
        answer = await whatsapp.send(graph.config, a_whatsapp_message())

        assert isinstance(answer, Rejected), answer
        assert (f"whatsapp_{code}", fault) == (answer.code, answer.fault)


@pytest.mark.parametrize("code", [1, 131000])
async def test_an_error_that_meta_does_not_know_is_unknown(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, code: int
) -> None:
    """It may have taken the message; nothing is repeated."""
    for status in (400, 500, 503):
        graph.errors = [(status, error_body(code))]

        assert isinstance(await whatsapp.send(graph.config, a_whatsapp_message()), Unknown)


@pytest.mark.parametrize("status", ["accepted", "held_for_quality_assessment", "paused"])
async def test_a_message_that_meta_holds_is_accepted(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, status: str
) -> None:
    """It has an id, under which a webhook reports later that it was sent or dropped (D-279)."""
    graph.message_status = status

    assert isinstance(await whatsapp.send(graph.config, a_whatsapp_message()), Accepted)


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        *((code, Fault.AWAY) for code in (131016, 131057)),
        *((code, Fault.ACCOUNT) for code in (3, 131045, 133000)),
        *((code, Fault.BUSY) for code in (2, 133004)),
        *((code, None) for code in (100, 130429, 131008, 131026, 999)),
    ],
)
async def test_a_server_error_is_a_rejection_by_a_few_codes_alone(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, code: int, fault: Fault | None
) -> None:
    """Meta documents these with 5xx; behind another code, or none, the message may have been taken."""
    graph.errors = [(500, error_body(code))]
    answer = await whatsapp.send(graph.config, a_whatsapp_message())

    assert fault == (answer.fault if isinstance(answer, Rejected) else None)
    assert isinstance(answer, Unknown) == (fault is None)


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        *((status, Fault.ACCOUNT) for status in (401, 403, 404, 405)),
        *((status, Fault.BUSY) for status in (429, 503)),
        *((status, Fault.CONTENT) for status in (400, 413, 422)),
    ],
)
@pytest.mark.parametrize(
    "body", [b"", b"<html>no</html>", b'{"error": "no"}', b'{"error": {"code": -7}}', b"[]"]
)
async def test_without_a_code_the_status_decides(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, status: int, fault: Fault, body: bytes
) -> None:
    """A proxy or another server may answer instead of Meta; 404 says that the `baseUrl` is wrong."""
    graph.errors = [(status, body)]
    answer = await whatsapp.send(graph.config, a_whatsapp_message())

    assert isinstance(answer, Rejected), answer
    assert (f"whatsapp_http_{status}", fault) == (answer.code, answer.fault)


async def test_an_unknown_code_goes_by_the_status(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Meta adds codes; they are kept, so that an operator can look them up."""
    faults = {400: Fault.CONTENT, 403: Fault.ACCOUNT, 404: Fault.CONTENT, 429: Fault.BUSY}
    for status, fault in faults.items():
        graph.errors = [(status, error_body(199_999))]
        answer = await whatsapp.send(graph.config, a_whatsapp_message())

        assert isinstance(answer, Rejected), answer
        assert ("whatsapp_199999", fault) == (answer.code, answer.fault)


async def test_a_wait_that_meta_asks_for_is_passed_on(whatsapp: WhatsappCloudProvider) -> None:
    """Other refusals have no wait, whatever stands in the header."""
    busy = HttpAnswer.json(error_body(130429), 400).but(headers={"Retry-After": "7"})
    async with FaultyHttp(busy, busy.but(body=b"", status=401)) as web:
        config = {**CONFIG, "baseUrl": web.url}
        first = await whatsapp.send(config, a_whatsapp_message())
        second = await whatsapp.send(config, a_whatsapp_message())

    assert isinstance(first, Rejected)
    assert isinstance(second, Rejected)
    assert (7.0, None) == (first.retry_after, second.retry_after)


async def test_a_cut_or_silent_answer_is_unknown(
    whatsapp: WhatsappCloudProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request had gone out whole; nothing is sent again."""
    monkeypatch.setattr(keep_alive, "LONGEST_CALL", 0.2)
    async with FaultyHttp(HttpAnswer(cut_at=0), HttpAnswer.silence()) as web:
        config = {**CONFIG, "baseUrl": web.url}
        cut = await whatsapp.send(config, a_whatsapp_message(channel_account_id="cha_cut"))
        silent = await whatsapp.send(config, a_whatsapp_message(channel_account_id="cha_silent"))

        assert 2 == len(web.requests)
    assert isinstance(cut, Unknown)
    assert isinstance(silent, Unknown)
    assert (PROVIDER_UNKNOWN, PROVIDER_TIMEOUT) == (cut.code, silent.code)
