"""Log-ins of `channel-accounts test`, which send nothing (C-67)."""

from __future__ import annotations

import pytest

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    PHONE_NUMBER_ID,
    TOKEN,
    GraphServer,
    error_body,
)
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.application.ports.channels import Connected, Fault, Rejected, Unknown


async def test_a_log_in_names_the_phone_number(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """The operator sees whose number it is, and how Meta rates it."""
    place = graph.url.removeprefix("http://")

    assert Connected(
        f'{place} without TLS, +1 555-078-3881, "Acme Orchids", quality GREEN'
    ) == await whatsapp.probe(graph.config)
    assert [("GET", f"/v25.0/{PHONE_NUMBER_ID}")] == [
        (method, path.partition("?")[0]) for method, path in graph.requests
    ]


async def test_a_wrong_token_or_id_is_the_accounts_fault(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Meta answers 100, most often with the subcode 33, for an id that the token may not see."""
    token = await whatsapp.probe({**graph.config, "accessToken": "EAAother"})
    number = await whatsapp.probe({**graph.config, "phoneNumberId": "7"})

    graph.errors = [(400, error_body(100, "Unsupported get request"))]
    bare = await whatsapp.probe(graph.config)

    assert isinstance(token, Rejected)
    assert isinstance(bare, Rejected)
    assert ("whatsapp_100", Fault.ACCOUNT) == (bare.code, bare.fault)
    assert "phoneNumberId" in bare.message
    assert isinstance(number, Rejected)
    assert ("whatsapp_190", Fault.ACCOUNT) == (token.code, token.fault)
    assert ("whatsapp_100", Fault.ACCOUNT) == (number.code, number.fault)


@pytest.mark.parametrize("body", [b"", b"[]", b'{"id": "7"}', b'{"display_phone_number": "<b>"}'])
async def test_an_answer_that_describes_no_number_is_unknown(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, body: bytes
) -> None:
    """Another server may stand at the `baseUrl`."""
    graph.errors = [(200, body)]

    assert isinstance(await whatsapp.probe(graph.config), Unknown)


async def test_an_error_of_the_server_is_unknown(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Nobody knows whether the log-in would have worked; a maintenance is said to be one."""
    graph.errors = [(500, b"oops"), (500, error_body(131057))]
    first, second = await whatsapp.probe(graph.config), await whatsapp.probe(graph.config)

    assert isinstance(first, Unknown)
    assert isinstance(second, Rejected)
    assert Fault.AWAY is second.fault


async def test_a_log_in_shows_no_secret(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Whatever a server at the `baseUrl` says of itself."""
    told = {"display_phone_number": "+1 555", "verified_name": f"Acme {TOKEN} 7"}
    graph.errors = [(200, told)]
    answer = await whatsapp.probe(graph.config)

    assert isinstance(answer, Connected)
    assert "Acme" in answer.detail
    assert TOKEN not in answer.detail
