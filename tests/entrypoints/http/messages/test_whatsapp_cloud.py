"""PINs and messages by WhatsApp, from a send to what Meta's API takes (SPEC C, C-26, C-17a)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from attrs import frozen

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    CONFIG,
    GraphServer,
    error_body,
    graph_server,
)
from tests.adapters.channels.whatsapp_cloud.hearing import metas_posts as messages
from tests.entrypoints.caller import DESTINATION, Caller
from tests.entrypoints.conftest import Serving
from tests.entrypoints.message_templates.creating_whatsapp import CODE, created, review
from tests.entrypoints.messaging.sends import (
    DEMO_WA,
    FALLBACK,
    FALLBACK_SMS,
    INTERACTIVE,
    RECIPIENT,
    WA,
    session,
)
from tests.entrypoints.messaging.uploading import uploaded

PUBLIC = "https://pins.example.com"
SENDER = "+15550199"
LINK = "https://files.example.com/tea"

STORES = ("sqlite",)


@frozen
class Shop:
    """A service with a channel account at Meta, and the server that Meta is here."""

    caller: Caller
    graph: GraphServer
    account: str

    async def sent(self, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send one WhatsApp entry to one recipient, and return its part of the answer."""
        body = await self.caller.sent(wa=[{**entry, "sender": SENDER}])
        (record,) = body["data"]
        return dict(record)

    async def heard(self) -> None:
        """Let the recipient write, which opens a session."""
        written = {"channel": "wa", "from": RECIPIENT, "to": "+15550100", "text": "Hi"}
        assert 200 == (await self.caller.post("/sandbox/inbound", written)).status

    async def post(self, document: Any) -> int:
        """Post a document as Meta does, and return the status of the answer."""
        body = json.dumps(document).encode()
        headers = messages.signed(body, CONFIG["appSecret"])
        nobody = self.caller.using(None)
        reply = await nobody.post(f"/callbacks/{self.account}", data=body, headers=headers)
        return reply.status

    async def by_code(self, **entry: Any) -> Caller:
        """Return a caller whose PINs go out under a template of Meta's."""
        whatsapp = {"channelType": "whatsapp", "channelAccountId": self.account}
        under = {"providerTemplateRef": "login_code", "languageCode": "en_US"}
        return await self.caller.with_template({**whatsapp, **under, **entry})


@asynccontextmanager
async def shop_of(serving: Serving, **changes: Any) -> AsyncIterator[Shop]:
    """Serve with a channel account at Meta."""
    async with graph_server() as graph, serving(**changes) as caller:
        body = {"name": "shop", "channelType": "whatsapp", "provider": "whatsapp_cloud"}
        made = await caller.operated(
            "POST", "/channel-accounts", {**body, "sender": SENDER, "config": graph.config}
        )
        yield Shop(caller, graph, made["id"])


@pytest.fixture
async def shop(serving: Serving) -> AsyncIterator[Shop]:
    """Yield a service that providers can call."""
    async with shop_of(serving, public_url=PUBLIC) as each:
        yield each


async def test_a_code_goes_out_under_its_template_and_verifies(shop: Shop) -> None:
    """It stands in the body and in the button; whoever reads it there verifies with it."""
    shop.graph.templates["login_code", "en_US"] = (2, 1)
    caller = await shop.by_code(copyCodeButtonIndex=0, paramDefaults={"2": "ten minutes"})
    pin_id = await caller.created()
    (taken,) = shop.graph.taken
    body, button = taken["template"]["components"]
    code, minutes = (each["text"] for each in body["parameters"])

    assert DESTINATION == taken["to"]
    assert pin_id in taken["biz_opaque_callback_data"]
    assert "ten minutes" == minutes
    assert [{"type": "text", "text": code}] == button["parameters"]
    assert 200 == (await caller.verify(pin_id, code)).status


async def test_a_code_that_meta_refuses_is_rejected_with_its_number(shop: Shop) -> None:
    """The template is not there yet: the answer says so by Meta's code, and has no PIN."""
    caller = await shop.by_code()
    reply = await caller.create()

    assert 502 == reply.status
    (channel,) = reply.error["details"]["channels"]
    assert ("rejected", "whatsapp_132001") == (channel["status"], channel["errorCode"])


async def test_a_template_goes_out_as_the_caller_wrote_it(shop: Shop) -> None:
    """Its name, its language and its components are Meta's own (C-26)."""
    shop.graph.templates["demo", "en"] = (2, 0)
    record = await shop.sent(DEMO_WA)
    (taken,) = shop.graph.taken

    assert "accepted" == record["status"]
    assert DEMO_WA["template"] == taken["template"]
    assert (RECIPIENT, record["messageId"]) == (taken["to"], taken["biz_opaque_callback_data"])


async def test_a_template_with_a_code_gets_its_button(shop: Shop) -> None:
    """Where only the body has the code, the button is completed, as Meta wants (C-26, D-96)."""
    shop.graph.templates[CODE["name"], CODE["language"]] = (1, 1)
    await created(shop.caller, CODE)
    await review(shop.caller, "approve", CODE["name"])
    values = [{"type": "text", "text": "482913"}]
    components = [{"type": "body", "parameters": values}]
    named = {"name": CODE["name"], "language": {"code": CODE["language"]}}
    await shop.sent({**WA, "template": {**named, "components": components}})
    (taken,) = shop.graph.taken

    assert [
        *components,
        {"type": "button", "sub_type": "url", "index": "0", "parameters": values},
    ] == taken["template"]["components"]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("text", {"body": "Your tea is ready.", "preview_url": False}),
        ("image", {"link": LINK, "caption": "Tea"}),
        ("video", {"link": LINK}),
        ("audio", {"link": LINK}),
        ("document", {"link": LINK, "filename": "tea.pdf"}),
        ("interactive", INTERACTIVE),
    ],
)
async def test_a_session_message_goes_out_as_the_caller_wrote_it(
    shop: Shop, kind: str, said: Mapping[str, Any]
) -> None:
    """Every type of C-26, within a session."""
    await shop.heard()
    record = await shop.sent(session(kind, said))
    (taken,) = shop.graph.taken

    assert "accepted" == record["status"]
    assert (kind, said) == (taken["type"], taken[kind])


async def test_an_upload_goes_out_as_a_link(shop: Shop) -> None:
    """Meta fetches it under --public-url."""
    await shop.heard()
    medium = await uploaded(shop.caller)
    await shop.sent(session("image", {"id": medium}))
    (taken,) = shop.graph.taken

    assert ["link"] == [*taken["image"]]
    assert taken["image"]["link"].startswith(f"{PUBLIC}/media/{medium}")


async def test_an_upload_without_a_public_address_is_refused(serving: Serving) -> None:
    """Meta would take the message, and fail it later for a picture that it cannot fetch (D-278)."""
    async with shop_of(serving) as shop:
        await shop.heard()
        record = await shop.sent(session("image", {"id": await uploaded(shop.caller)}))

    assert ("rejected", "whatsapp_media_not_public") == (record["status"], record["errorCode"])
    assert [] == shop.graph.requests


async def test_a_rejection_fires_the_fallback(shop: Shop) -> None:
    """Somebody who is not on WhatsApp gets the SMS at once (C-20)."""
    shop.graph.templates["demo", "en"] = (2, 0)
    shop.graph.errors = [(400, error_body(131026, "Message undeliverable"))]
    fallback = {**FALLBACK, "sms": FALLBACK_SMS}
    body = await shop.caller.sent(wa=[{**DEMO_WA, "sender": SENDER}], fallback=fallback)
    await shop.caller.advance(1)
    standing = await shop.caller.standing(body["data"][0]["messageId"])

    assert "whatsapp_131026" == body["data"][0]["errorCode"]
    assert ("rejected", "fired") == (standing["status"], standing["fallback"]["status"])
    assert [RECIPIENT] == [each["destination"] for each in await shop.caller.outbox()]


async def test_a_test_by_template_goes_through(shop: Shop) -> None:
    """Meta's own hello_world is there for everybody (C-67)."""
    asked = {"to": "+447700900123", "template": "hello_world", "language": "en_US"}
    tested = await shop.caller.operated("POST", f"/channel-accounts/{shop.account}/test", asked)
    (taken,) = shop.graph.taken
    steps = {each["step"]: (each["status"], each["detail"]) for each in tested["steps"]}

    assert "accepted" == tested["outcome"]
    assert ("ok", "3 secrets sealed under code key 1") == steps["config"]
    assert '"Acme Orchids"' in steps["connect"][1]
    assert {"name": "hello_world", "language": {"code": "en_US"}} == taken["template"]


async def test_a_person_opens_a_session_and_gets_an_answer(shop: Shop) -> None:
    """All of it by Meta: the person writes, the answer goes out, and is delivered and read."""
    hello = messages.written("text", {"body": "Is it ready?"}, **{"from": RECIPIENT.lstrip("+")})
    posted = [await shop.post(messages.inbound(hello))]
    record = await shop.sent(session("text", {"body": "Yes."}))
    (wamid,) = shop.graph.issued
    states = []
    for word in ("sent", "delivered", "read", "sent"):
        posted.append(await shop.post(messages.statuses(messages.status(wamid, word))))
        states.append((await shop.caller.standing(record["messageId"]))["status"])

    assert [200] * 5 == posted
    assert ["sent", "delivered", "read", "read"] == states


async def test_a_status_explains_a_send_that_nobody_knew_about(shop: Shop) -> None:
    """Meta failed in the middle, and reports later under our own reference (C-68)."""
    shop.graph.templates["demo", "en"] = (2, 0)
    shop.graph.errors = [(500, b"")]
    record = await shop.sent(DEMO_WA)
    reference = {"biz_opaque_callback_data": record["messageId"]}
    posted = await shop.post(
        messages.statuses(messages.status("wamid.HBgLate", "delivered", **reference))
    )
    after = await shop.caller.standing(record["messageId"])

    assert ("rejected", "provider_unknown") == (record["status"], record["errorCode"])
    assert (200, "delivered") == (posted, after["status"])


async def test_a_post_without_a_signature_is_refused(shop: Shop) -> None:
    """Nobody but Meta moves a message, and a wrong token answers no challenge (C-70)."""
    nobody = shop.caller.using(None)
    path = f"/callbacks/{shop.account}"
    posted = await nobody.post(path, {"object": "whatsapp_business_account", "entry": []})
    asked = await nobody.get(f"{path}?hub.mode=subscribe&hub.challenge=7&hub.verify_token=no")

    assert 401 == posted.status
    assert asked.status in (401, 403)
    assert b"7" != asked.body
