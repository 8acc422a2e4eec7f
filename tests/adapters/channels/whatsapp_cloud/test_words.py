"""The words of rejections: Meta's explanation, and nothing of the message or of a secret (D-243)."""

from __future__ import annotations

from time import process_time

import pytest
from attrs import evolve

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    CONFIG,
    TOKEN,
    GraphServer,
    a_whatsapp_message,
    error_body,
)
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.application.ports.channels import (
    Accepted,
    Message,
    ProviderTemplate,
    Rejected,
    Unknown,
)
from watchword.domain.message import WhatsappSessionContent

REPLY = {"type": "reply", "reply": {"id": "order-77", "title": "Yes please"}}
BUTTONS = WhatsappSessionContent(
    type="interactive",
    body={"type": "button", "body": {"text": "Asha"}, "action": {"buttons": [REPLY]}},
)
PIN = ProviderTemplate(name="login_code", language="en_US", code="482913", params={"1": "Asha"})


async def words_of(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, message: Message, details: str
) -> str:
    """Send a message that Meta refuses with these details, and return the words of the rejection."""
    graph.errors = [(400, error_body(131009, details))]
    answer = await whatsapp.send(graph.config, message)
    assert isinstance(answer, Rejected), answer
    return answer.message


async def test_metas_explanation_is_passed_on(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """It names the parameter at fault; what to do follows."""
    details = "body: number of localizable_params (1) does not match the expected number (2)"
    words = await words_of(whatsapp, graph, a_whatsapp_message(template=PIN), details)

    assert f"Meta refused (error 131009): {details}. Compare the message" in words


@pytest.mark.parametrize(
    ("message", "quoted"),
    [
        (a_whatsapp_message(text="Your tea is ready, Asha."), "Your tea is ready, Asha."),
        (a_whatsapp_message(text="Your tea is ready, Asha."), "tea is ready"),
        (a_whatsapp_message(template=PIN), "482913"),
        (a_whatsapp_message(template=PIN), "Asha"),
        (a_whatsapp_message(content=BUTTONS), "order-77"),
        (a_whatsapp_message(content=BUTTONS), "Yes please"),
        (a_whatsapp_message(), "+919812345610"),
        (a_whatsapp_message(), "919812345610"),
        (a_whatsapp_message(), TOKEN),
        (a_whatsapp_message(), TOKEN[:9]),
        (a_whatsapp_message(), CONFIG["appSecret"]),
        (a_whatsapp_message(), CONFIG["verifyToken"]),
    ],
)
async def test_words_quote_neither_the_message_nor_a_secret(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, message: Message, quoted: str
) -> None:
    """They stand in events, answers and logs."""
    for details in (f"The value '{quoted}' is not valid", f"{quoted} is wrong", f"at {quoted}"):
        words = await words_of(whatsapp, graph, message, details)

        assert quoted not in words
        assert "…" in words


async def test_words_about_a_token_are_ours(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Meta quotes a token that it does not take."""
    answer = await whatsapp.send({**graph.config, "accessToken": "EAAother"}, a_whatsapp_message())

    assert isinstance(answer, Rejected)
    assert "whatsapp_190" == answer.code
    assert "EAAother" not in answer.message
    assert "accessToken" in answer.message


async def test_an_id_that_is_a_text_of_the_message_is_none(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Ids are stored and shown; a code must not be one."""
    for quoted in ("482913", f"wamid.{TOKEN}"):
        graph.errors = [(200, {"messages": [{"id": quoted}]})]
        answer = await whatsapp.send(graph.config, a_whatsapp_message(template=PIN))

        assert isinstance(answer, Unknown)
        assert quoted not in repr(answer)


async def test_a_short_token_of_an_operators_choice_may_stand_in_an_id(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """All of Meta's ids begin alike; a verifyToken of these letters must not make each send unknown."""
    config = {**graph.config, "verifyToken": "wamid"}

    assert isinstance(await whatsapp.send(config, a_whatsapp_message()), Accepted)


async def test_a_long_answer_costs_little(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Of the words of an error only the first are read, whatever the message's number of values is."""
    params = {str(each): f"{each:03}" for each in range(1, 900)}
    graph.templates["login_code", "en_US"] = (900, 0)
    message = a_whatsapp_message(template=evolve(PIN, params=params))
    details = " ".join(f"{each:03} tea" for each in range(9_000))
    began = process_time()
    words = await words_of(whatsapp, graph, message, details)

    assert process_time() - began < 1
    assert len(words) < 500
    assert "007" not in words
    assert isinstance(await whatsapp.send(graph.config, message), Accepted)
