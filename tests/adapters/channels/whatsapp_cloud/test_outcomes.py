"""The outcomes of sends, by Meta's answers (C-68, C-69)."""

from __future__ import annotations

import pytest

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    GraphServer,
    a_whatsapp_message,
    error_body,
)
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.application.ports.channels import Accepted, Fault, Rejected, Unknown

BUSY = (2, 4, 80007, 130429, 131056)
RECIPIENT = (131026, 131030, 131047, 131049, 131050, 130472)
ACCOUNT = (0, 3, 10, 190, 200, 250, 299, 368, 131031, 131042, 131048, 131064, 133010)
CONTENT = (100, 131008, 131009, 132000, 132001, 132015, 132999)


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        *((code, Fault.BUSY) for code in BUSY),
        *((code, Fault.AWAY) for code in (131016, 131057)),
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
