"""Templates are submitted to a business account, adopted from it and looked up there (C-99)."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from aiohttp import web

from tests.adapters.channels.whatsapp_cloud.business_account import refusal
from tests.adapters.channels.whatsapp_cloud.graph_server import TOKEN, GraphServer
from tests.whatsapp_templates import BODY, OTP, code, worded
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.application.ports.channels import (
    Fault,
    Rejected,
    Submitted,
    TemplateReview,
    Unknown,
)
from watchword.domain.whatsapp_template import CodeBody, TemplateDefinition

TEA = TemplateDefinition(name="tea_sent", language="en_US", content=worded(BODY))


async def test_a_template_is_submitted(graph: GraphServer, whatsapp: WhatsappCloudProvider) -> None:
    """Meta's id, status and category are returned; it waits for a decision."""
    answer = await whatsapp.submit_template(graph.config, TEA)

    assert Submitted("594425479261596", category="UTILITY") == answer
    assert ["tea_sent"] == [each["name"] for each in graph.business.taken]


async def test_a_template_of_codes_may_be_approved_at_once(
    graph: GraphServer, whatsapp: WhatsappCloudProvider
) -> None:
    """Meta words it itself, so there is little to review."""
    graph.business.status = "APPROVED"
    codes = TemplateDefinition(name="login", language="en_US", content=code(CodeBody(), OTP))
    answer = await whatsapp.submit_template(graph.config, codes)

    assert isinstance(answer, Submitted)
    assert (True, "AUTHENTICATION") == (answer.approved, answer.category)


@pytest.mark.parametrize(
    ("status", "reason", "approved", "said"),
    [
        ("APPROVED", "NONE", True, None),
        ("PENDING", "NONE", None, None),
        ("IN_APPEAL", "NONE", None, None),
        ("REJECTED", "INVALID_FORMAT", False, "REJECTED: INVALID_FORMAT"),
        ("PAUSED", "NONE", False, "PAUSED"),
        ("DISABLED", None, False, "DISABLED"),
    ],
)
async def test_a_template_that_is_there_is_adopted(
    graph: GraphServer,
    whatsapp: WhatsappCloudProvider,
    status: str,
    reason: str | None,
    approved: bool | None,
    said: str | None,
) -> None:
    """By name and language, with Meta's category and decision; nothing is created (D-286)."""
    graph.business.add("tea_sent", "pt_BR", "APPROVED")
    graph.business.add("tea_sent_again", "en_US", "APPROVED")
    graph.business.add("tea_sent", "en_US", status, rejected_reason=reason, category="MARKETING")
    answer = await whatsapp.submit_template(graph.config, TEA)

    assert Submitted("594425479261598", approved, said, "MARKETING", adopted=True) == answer
    assert [] == graph.business.taken
    assert {"tea_sent"} == {each["name"] for each in graph.business.asked}


async def test_a_template_that_the_list_does_not_have_yet_is_tried_again(
    graph: GraphServer, whatsapp: WhatsappCloudProvider
) -> None:
    """Meta refuses a second one of its name and language; later the list has it (D-284)."""
    graph.business.add("tea_sent", "en_US", "PENDING")
    graph.business.hidden.add("tea_sent")
    early = await whatsapp.submit_template(graph.config, TEA)
    graph.business.hidden.clear()
    later = await whatsapp.submit_template(graph.config, TEA)

    assert isinstance(early, Rejected)
    assert ("whatsapp_2388024", Fault.BUSY) == (early.code, early.fault)
    assert isinstance(later, Submitted)
    assert later.adopted
    assert [] == graph.business.taken


@pytest.mark.parametrize(
    ("answer", "code", "fault", "words"),
    [
        (
            lambda: refusal(100, "Invalid parameter", "A variable ends the text.", 2388299),
            "whatsapp_2388299",
            Fault.CONTENT,
            "A variable ends the text.",
        ),
        (
            lambda: refusal(100, "(#100) Invalid parameter"),
            "whatsapp_100",
            Fault.CONTENT,
            "Invalid parameter.",
        ),
        (
            lambda: refusal(100, "Invalid parameter", "Too many.", 2388019),
            "whatsapp_2388019",
            Fault.ACCOUNT,
            "Too many.",
        ),
        (lambda: refusal(80008, "Too many calls"), "whatsapp_80008", Fault.BUSY, "Too many calls."),
        (lambda: refusal(200, "Permissions error"), "whatsapp_200", Fault.ACCOUNT, "Permissions"),
        (
            lambda: refusal(190, f"Malformed access token {TOKEN}", status=401),
            "whatsapp_190",
            Fault.ACCOUNT,
            "Meta refused (error 190).",
        ),
        (lambda: web.Response(status=403), "whatsapp_http_403", Fault.ACCOUNT, "status 403"),
        (lambda: web.Response(status=429), "whatsapp_http_429", Fault.BUSY, "status 429"),
        (lambda: web.Response(status=422), "whatsapp_http_422", Fault.CONTENT, "status 422"),
    ],
)
async def test_what_a_refusal_means(
    graph: GraphServer,
    whatsapp: WhatsappCloudProvider,
    answer: Any,
    code: str,
    fault: Fault,
    words: str,
) -> None:
    """Only a template that Meta will never take is rejected for good; its words are Meta's."""
    graph.business.create_errors = [answer()]
    refused = await whatsapp.submit_template(graph.config, TEA)

    assert isinstance(refused, Rejected)
    assert (code, fault) == (refused.code, refused.fault)
    assert words in refused.message
    assert TOKEN not in refused.message


@pytest.mark.parametrize(
    "answer",
    [
        lambda: web.Response(status=500),
        lambda: web.Response(status=302, headers={"Location": "https://a.example/"}),
        lambda: web.Response(body=b"{"),
        lambda: web.json_response({"status": "PENDING"}),
        lambda: web.Response(body=b" " * 100_000),
    ],
    ids=["500", "302", "no JSON", "no id", "too long"],
)
async def test_doubt_is_unknown(
    graph: GraphServer, whatsapp: WhatsappCloudProvider, answer: Any
) -> None:
    """The next attempt finds out what became of it."""
    graph.business.create_errors = [answer()]

    assert isinstance(await whatsapp.submit_template(graph.config, TEA), Unknown)


async def test_without_a_connection_meta_is_away(whatsapp: WhatsappCloudProvider) -> None:
    """Nothing was written; so is a list that fails before a create."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    config = {**GraphServer(url=url).config}
    submitted = await whatsapp.submit_template(config, TEA)
    looked_up = await whatsapp.template_states(config)

    for answer in (submitted, looked_up):
        assert isinstance(answer, Rejected)
        assert ("whatsapp_connect_failed", Fault.AWAY) == (answer.code, answer.fault)


async def test_nothing_is_created_while_the_list_fails(
    graph: GraphServer, whatsapp: WhatsappCloudProvider
) -> None:
    """Otherwise a template that exists would be submitted again."""
    graph.business.list_errors = [web.Response(status=500), refusal(4, "Too many calls")]
    unknown = await whatsapp.submit_template(graph.config, TEA)
    busy = await whatsapp.submit_template(graph.config, TEA)

    assert isinstance(unknown, Unknown)
    assert isinstance(busy, Rejected)
    assert Fault.BUSY is busy.fault
    assert [] == graph.business.taken


async def test_the_decisions_in_force_are_looked_up(
    graph: GraphServer, whatsapp: WhatsappCloudProvider
) -> None:
    """On all pages; what waits, or has another form, is left out, and no address is followed."""
    graph.business.add("a", "en_US", "APPROVED")
    graph.business.add("b", "en-GB", "REJECTED", rejected_reason="SCAM")
    graph.business.add("c", "en_US", "PENDING")
    graph.business.add("d", "en_US", "APPROVED", id=7)
    graph.business.add("e", "pt_BR", "PAUSED")
    found = await whatsapp.template_states(graph.config)

    assert [
        TemplateReview(name="a", language="en_US", approved=True),
        TemplateReview(name="b", language="en_GB", approved=False, reason="REJECTED: SCAM"),
        TemplateReview(name="e", language="pt_BR", approved=False, reason="PAUSED"),
    ] == found
    assert [None, "2", "4"] == [each.get("after") for each in graph.business.asked]


async def test_a_look_up_that_is_refused(
    graph: GraphServer, whatsapp: WhatsappCloudProvider
) -> None:
    """The token of another app has no right to the business account."""
    config = {**graph.config, "accessToken": "EAAJB-another"}
    refused = await whatsapp.template_states(config)

    assert isinstance(refused, Rejected)
    assert ("whatsapp_190", Fault.ACCOUNT) == (refused.code, refused.fault)


async def test_a_business_account_says_that_templates_are_submitted(
    graph: GraphServer, whatsapp: WhatsappCloudProvider
) -> None:
    """Without one, operators review (C-36)."""
    without = {name: each for name, each in graph.config.items() if name != "businessAccountId"}

    assert whatsapp.submits_templates({**graph.config, "accessToken": "***"})
    assert not whatsapp.submits_templates(without)


async def test_two_submissions_at_once_make_one_template(
    graph: GraphServer, whatsapp: WhatsappCloudProvider
) -> None:
    """Meta refuses one of them, which then adopts the other's (D-284)."""
    answers = await asyncio.gather(*(whatsapp.submit_template(graph.config, TEA) for _ in range(5)))

    assert ["594425479261596"] * 5 == [
        each.provider_template_id for each in answers if isinstance(each, Submitted)
    ]
    assert 1 == len(graph.business.taken)
