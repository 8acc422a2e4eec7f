"""The requests of sends, as Meta's documents want them (C-26, C-17a, C-99)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    PHONE_NUMBER_ID,
    GraphServer,
    a_whatsapp_message,
    graph_server,
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
    """The reference travels with it and comes back in webhooks; a time to live has no place (C-99)."""
    message = a_whatsapp_message(text="Hello", reference="msg_7", ttl_seconds=60)

    assert {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": "+919812345610",
        "type": "text",
        "text": {"body": "Hello"},
        "biz_opaque_callback_data": "msg_7",
    } == await body_of(whatsapp, graph, message)
    assert [("POST", f"/v25.0/{PHONE_NUMBER_ID}/messages")] == graph.requests


@pytest.mark.parametrize(
    "spelled", ["919812345610", "+91 98123-45610", "+(91)9812345610", "00919812345610"]
)
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


@pytest.mark.parametrize(
    ("params", "values"),
    [
        ({}, ["482913"]),
        ({"1": "Asha"}, ["Asha", "482913"]),
        ({"2": "ten minutes"}, ["482913", "ten minutes"]),
        ({"1": "Asha", "3": "ten"}, ["Asha", "482913", "ten"]),
        ({str(each): f"p{each}" for each in (*range(1, 10), 11)}, None),
    ],
)
async def test_the_code_has_the_lowest_free_position(
    whatsapp: WhatsappCloudProvider,
    graph: GraphServer,
    params: Mapping[str, str],
    values: list[str] | None,
) -> None:
    """The other positions are those of the parameters, in the order of their numbers (C-99)."""
    wanted = values or [*(f"p{each}" for each in range(1, 10)), "482913", "p11"]
    graph.templates["login_code", "en_US"] = (len(wanted), 0)
    template = (await body_of(whatsapp, graph, a_pin(params=params)))["template"]
    (component,) = template["components"]

    assert "body" == component["type"]
    assert [{"type": "text", "text": each} for each in wanted] == component["parameters"]


async def test_a_gap_in_the_positions_is_refused(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Meta counts the values; what came behind the gap would stand in the wrong place."""
    found = await rejection_of(whatsapp, graph, a_pin(params={"1": "Asha", "4": "ten"}))

    assert ("whatsapp_parameter_missing", Fault.CONTENT) == found


async def test_a_button_has_the_code_where_the_template_has_one(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """It is the button at `copyCodeButtonIndex`; without that, the request has none (C-99)."""
    graph.templates["login_code", "en_US"] = (1, 1)
    body = await body_of(whatsapp, graph, a_pin(copy_code_button_index=2))
    graph.templates["login_code", "en_US"] = (1, 0)
    without = await body_of(whatsapp, graph, a_pin())

    assert {
        "type": "button",
        "sub_type": "url",
        "index": "2",
        "parameters": [{"type": "text", "text": "482913"}],
    } == body["template"]["components"][1]
    assert ["body"] == [each["type"] for each in without["template"]["components"]]


async def test_a_test_by_template_has_no_parameters(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Meta's own hello_world takes none; `channel-accounts test` has no code to send (C-67)."""
    body = await body_of(whatsapp, graph, a_pin(name="hello_world", code=""))

    assert {"name": "hello_world", "language": {"code": "en_US"}} == body["template"]


@pytest.mark.parametrize("given", ["en-US", "en_US"])
async def test_a_language_is_spelled_as_meta_spells_it(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, given: str
) -> None:
    """Meta knows no hyphen in a language (D-276)."""
    content = WhatsappTemplateContent(name="hello_world", language=given)
    for message in (
        a_pin(name="hello_world", language=given, code=""),
        a_whatsapp_message(content=content),
    ):
        body = await body_of(whatsapp, graph, message)

        assert {"code": "en_US"} == body["template"]["language"]


async def test_a_message_without_a_text_is_refused(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """A PIN on WhatsApp needs a template of Meta's; without one it may have no text at all."""
    found = await rejection_of(whatsapp, graph, a_whatsapp_message(text=""))

    assert ("whatsapp_no_text", Fault.CONTENT) == found


async def test_a_text_that_is_no_unicode_is_refused(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Half of a pair of surrogates cannot be written in UTF-8."""
    found = await rejection_of(whatsapp, graph, a_whatsapp_message(text="tea \ud83d"))

    assert ("whatsapp_text_refused", Fault.CONTENT) == found


HOSTILE = st.lists(
    st.one_of(
        st.text(st.characters(codec="utf-8"), max_size=8),
        st.sampled_from(['"', "\\", '"}, "to": "+15005550009', "{{1}}", "\r\n", "\0", "\u2028"]),
    ),
    min_size=1,
    max_size=8,
).map("".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(HOSTILE.filter(bool), min_size=3, max_size=3))
def test_no_value_adds_a_member(values: list[str]) -> None:
    """Each arrives as it was given, in its own place, and nothing else does."""

    async def run() -> None:
        async with graph_server() as graph:
            graph.templates["login_code", "en_US"] = (2, 1)
            provider = WhatsappCloudProvider()
            text, parameter, code = values
            said = text[:4_096]
            plain = await body_of(provider, graph, a_whatsapp_message(text=said))
            pin = a_pin(params={"1": parameter}, code=code, copy_code_button_index=0)
            template = (await body_of(provider, graph, pin))["template"]
            await provider.close()

        assert {"body": said} == plain["text"]
        assert [[parameter, code], [code]] == [
            [each["text"] for each in component["parameters"]]
            for component in template["components"]
        ]
        assert "+919812345610" == plain["to"]

    asyncio.run(run())
