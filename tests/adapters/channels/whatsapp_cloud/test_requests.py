"""The requests of sends, as Meta's documents want them (C-26, C-17a, C-99)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    PHONE_NUMBER_ID,
    GraphServer,
    a_whatsapp_message,
)
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.application.ports.channels import (
    Accepted,
    Fault,
    Message,
    ProviderTemplate,
    Rejected,
)
from watchword.domain.message import WhatsappSessionContent, WhatsappTemplateContent

PRIVATE = "http://127.0.0.1:8080/media/med_" + 32 * "0"


async def body_of(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, message: Message
) -> Mapping[str, Any]:
    """Send a message, and return the body that Meta took."""
    answer = await whatsapp.send(graph.config, message)
    assert isinstance(answer, Accepted), answer
    return graph.taken[-1]


async def rejection_of(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, message: Message
) -> tuple[str, Fault]:
    """Send a message that is refused before anything is written; return the code and the fault."""
    answer = await whatsapp.send(graph.config, message)
    assert isinstance(answer, Rejected), answer
    assert [] == graph.requests
    return answer.code, answer.fault


def a_pin(**changes: Any) -> Message:
    """Return a PIN's message under a template."""
    given: dict[str, Any] = {"name": "login_code", "language": "en_US", "code": "482913"}
    return a_whatsapp_message(template=ProviderTemplate(**{**given, **changes}))


async def test_a_text_goes_out_in_metas_shape(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """The reference travels with it, and comes back in its webhooks."""
    message = a_whatsapp_message(text="Hello", reference="msg_7")

    assert {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": "+919812345610",
        "type": "text",
        "text": {"body": "Hello"},
        "biz_opaque_callback_data": "msg_7",
    } == await body_of(whatsapp, graph, message)
    assert [("POST", f"/v25.0/{PHONE_NUMBER_ID}/messages")] == graph.requests


@pytest.mark.parametrize("spelled", ["919812345610", "+91 98123-45610", "+(91)9812345610"])
async def test_a_number_always_has_its_plus(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, spelled: str
) -> None:
    """Without it, Meta would put the country code of the business before the number (D-277)."""
    body = await body_of(whatsapp, graph, a_whatsapp_message(destination=spelled))

    assert "+919812345610" == body["to"]


async def test_a_pin_without_a_language_is_refused(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Meta finds a template by its name and language, and we guess neither (D-276)."""
    found = await rejection_of(whatsapp, graph, a_pin(language=None))

    assert ("whatsapp_no_language", Fault.CONTENT) == found


@pytest.mark.parametrize(
    "medium",
    [{"link": PRIVATE}, {"link": "https://pins.internal/media/x"}, {"id": "med_" + 32 * "0"}],
)
async def test_a_medium_that_meta_cannot_fetch_is_refused(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, medium: Mapping[str, str]
) -> None:
    """Without --public-url the address of an upload is this machine's (D-278)."""
    parameters = [{"type": "image", "image": medium}]
    header = {"type": "header", "parameters": parameters}
    template = WhatsappTemplateContent(name="tea", language="en", components=(header,))
    session = WhatsappSessionContent(type="image", body=medium)
    for content in (template, session):
        found = await rejection_of(whatsapp, graph, a_whatsapp_message(content=content))

        assert ("whatsapp_media_not_public", Fault.CONTENT) == found
