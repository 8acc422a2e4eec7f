"""Meta is told the address of a phone number's channel account, as its documents say (D-282)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx
import pytest
from pywa.api import GraphAPI

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    CONFIG,
    PHONE_NUMBER_ID,
    TOKEN,
    error_body,
)
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.application.ports.channels import Fault, Rejected, Unknown, Webhook
from watchword.testing import FakeContext, FaultyHttp, HttpAnswer

URL = "https://pins.example.com/callbacks/cha_orchid"


@pytest.fixture
async def provider() -> AsyncIterator[WhatsappCloudProvider]:
    """Yield a provider that is open."""
    provider = WhatsappCloudProvider()
    await provider.open(FakeContext())
    yield provider
    await provider.close()


def at(web: FaultyHttp) -> Mapping[str, Any]:
    """Return the config of an account whose API is a server."""
    return {**CONFIG, "baseUrl": f"http://127.0.0.1:{web.port}"}


async def test_the_address_of_a_phone_number_is_overridden(provider: WhatsappCloudProvider) -> None:
    """The request is the one that an independent library makes, apart from the version and a slash."""
    theirs: list[httpx.Request] = []

    def keep(request: httpx.Request) -> httpx.Response:
        theirs.append(request)
        return httpx.Response(200, json={"success": True})

    with httpx.Client(transport=httpx.MockTransport(keep)) as session:
        GraphAPI(TOKEN, session, 25.0).set_phone_alternate_callback_url(
            URL, CONFIG["verifyToken"], PHONE_NUMBER_ID
        )
    async with FaultyHttp(HttpAnswer.json({"success": True})) as web:
        answer = await provider.set_webhook(at(web), URL)
        (ours,) = web.requests

    assert isinstance(answer, Webhook)
    assert answer.is_set
    assert json.loads(theirs[0].content) == json.loads(ours.body)
    assert (theirs[0].method, theirs[0].url.path.rstrip("/")) == (ours.method, ours.path)
    assert theirs[0].headers["Authorization"] == ours.headers["authorization"]


async def test_people_are_told_that_decisions_on_templates_come_elsewhere(
    provider: WhatsappCloudProvider,
) -> None:
    """Meta posts them to the app's own address, whatever the override."""
    async with FaultyHttp(HttpAnswer.json({"success": True})) as web:
        answer = await provider.set_webhook(at(web), URL)

    assert isinstance(answer, Webhook)
    assert any("message_template_status_update" in each for each in answer.steps)
    assert not any(URL in each or CONFIG["verifyToken"] in each for each in answer.steps)


@pytest.mark.parametrize(
    ("answer", "code", "fault"),
    [
        (HttpAnswer.json(error_body(190, "Expired"), status=401), "whatsapp_190", Fault.ACCOUNT),
        (
            HttpAnswer.json(error_body(100, "Override Callback URI"), status=400),
            "whatsapp_100",
            Fault.CONTENT,
        ),
        (HttpAnswer.json(error_body(4), status=400), "whatsapp_4", Fault.BUSY),
    ],
    ids=["token", "challenge", "busy"],
)
async def test_a_refusal_has_metas_number(
    provider: WhatsappCloudProvider, answer: HttpAnswer, code: str, fault: Fault
) -> None:
    """The words say what to do, and name no secret."""
    async with FaultyHttp(answer) as web:
        refused = await provider.set_webhook(at(web), URL)

    assert isinstance(refused, Rejected)
    assert (code, fault) == (refused.code, refused.fault)
    assert CONFIG["verifyToken"] not in refused.message


async def test_a_refused_challenge_says_what_meta_needs(provider: WhatsappCloudProvider) -> None:
    """Meta calls the address before it answers."""
    async with FaultyHttp(HttpAnswer.json(error_body(2200, "Verify failed"), status=400)) as web:
        refused = await provider.set_webhook(at(web), URL)

    assert isinstance(refused, Rejected)
    assert "https" in refused.message


@pytest.mark.parametrize(
    "answer",
    [
        HttpAnswer.json({"success": False}),
        HttpAnswer.json([]),
        HttpAnswer.json({}, status=500),
        HttpAnswer.json(error_body(131000), status=500),
        HttpAnswer.redirect("http://127.0.0.1:1/"),
        HttpAnswer.json({"success": True}).but(cut_at=20),
    ],
    ids=["no success", "odd", "fault", "error", "redirect", "cut"],
)
async def test_in_doubt_nobody_knows(provider: WhatsappCloudProvider, answer: HttpAnswer) -> None:
    """The operator looks at Meta, or asks again."""
    async with FaultyHttp(answer) as web:
        assert isinstance(await provider.set_webhook(at(web), URL), Unknown)


async def test_without_a_connection_nothing_is_set(provider: WhatsappCloudProvider) -> None:
    """The code is that of a send without one."""
    async with FaultyHttp(HttpAnswer.json({})) as web:
        config = at(web)
    refused = await provider.set_webhook(config, URL)

    assert isinstance(refused, Rejected)
    assert ("whatsapp_connect_failed", Fault.AWAY) == (refused.code, refused.fault)
