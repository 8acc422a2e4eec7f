"""WhatsApp templates on their way to Meta and back, through a whole service (C-26, C-36, C-99)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

import watchword
from tests.adapters.channels.whatsapp_cloud.business_account import BusinessAccount, refusal
from tests.adapters.channels.whatsapp_cloud.graph_server import CONFIG, GraphServer, graph_server
from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    signed,
    template_event,
    whole,
)
from tests.entrypoints.caller import Caller
from tests.entrypoints.message_templates.creating_whatsapp import (
    CODE,
    FULL,
    PICTURE,
    TEXT,
    created,
    fetched,
    review,
)
from tests.entrypoints.messaging.uploading import uploaded
from tests.log_keys import LOG_KEY
from watchword.testing import StillClock


@frozen
class Shop:
    """A service with a channel account of a business account, and the server that Meta is here."""

    caller: Caller
    graph: GraphServer
    account: str

    @property
    def business(self) -> BusinessAccount:
        """The business account at Meta."""
        return self.graph.business

    async def create(self, template: Mapping[str, Any] = TEXT) -> None:
        """Create a template, and do the work that is due at once."""
        await created(self.caller, template)
        await self.caller.advance(1)

    async def shown(self) -> dict[str, Any]:
        """Return the newest template as operators see it."""
        listed = await self.caller.operated("GET", "/wa-templates?account=demo")
        return dict(listed["data"][0])

    async def post(self, event: str, **more: Any) -> int:
        """Post a decision on the template as Meta does, and return the status of the answer."""
        document = whole(template_event(event, TEXT["name"], TEXT["language"], **more))
        body = json.dumps(document).encode()
        reply = await self.caller.using(None).post(
            f"/callbacks/{self.account}", data=body, headers=signed(body, CONFIG["appSecret"])
        )
        return reply.status


@pytest.fixture
async def shop(caller: Caller) -> AsyncIterator[Shop]:
    """Yield it."""
    async with graph_server() as graph:
        body = {"name": "meta", "channelType": "whatsapp", "provider": "whatsapp_cloud"}
        made = await caller.operated("POST", "/channel-accounts", {**body, "config": graph.config})
        yield Shop(caller, graph, made["id"])


@pytest.mark.stores("memory", "sqlite", "postgresql")
async def test_a_template_is_submitted_and_approved(shop: Shop) -> None:
    """Once, and Meta's decision is looked up five minutes later; API clients see the approval alone."""
    await shop.create()
    waiting = await shop.shown()
    shop.business.templates["tea_sent", "en_US"]["status"] = "APPROVED"
    await shop.caller.advance(300)
    approved = await shop.shown()
    (record,) = await fetched(shop.caller)

    assert [TEXT["components"]] == [each["components"] for each in shop.business.taken]
    assert ("Pending", "submitted", 1) == (
        waiting["status"],
        waiting["submission"]["status"],
        waiting["submission"]["attempts"],
    )
    assert shop.account == waiting["submission"]["channelAccountId"]
    assert (
        shop.business.templates["tea_sent", "en_US"]["id"]
        == waiting["submission"]["providerTemplateId"]
    )
    assert ("Approved", "Approved") == (approved["status"], record["status"])
    assert "submission" not in record


@pytest.mark.parametrize("template", [FULL, CODE], ids=["full", "code"])
async def test_every_kind_of_template_has_metas_form(
    shop: Shop, template: Mapping[str, Any]
) -> None:
    """Meta's own rules on members take it."""
    await shop.create(template)

    assert [template["name"]] == [each["name"] for each in shop.business.taken]
    assert "submitted" == (await shop.shown())["submission"]["status"]


async def test_an_example_that_was_uploaded_here_is_uploaded_to_meta(shop: Shop) -> None:
    """Its handle stands in the template that Meta gets; ours goes on naming the medium (D-92)."""
    medium = await uploaded(shop.caller)
    body, header = PICTURE["components"]
    header = {**header, "example": {"header_handle": [medium]}}
    await shop.create({**PICTURE, "components": [body, header]})
    ((handle, content),) = shop.graph.uploads.taken.items()
    (record,) = await fetched(shop.caller)

    assert b"\x89PNG\r\n\x1a\n" == content
    assert {"header_handle": [handle]} == shop.business.taken[0]["components"][1]["example"]
    assert {"header_handle": [medium]} == record["components"][1]["example"]


async def test_an_example_that_was_removed_is_named(shop: Shop) -> None:
    """The template was created before: it is rejected, and says why."""
    medium = await uploaded(shop.caller)
    body, header = PICTURE["components"]
    header = {**header, "example": {"header_handle": [medium]}}
    shop.business.list_errors = [refusal(4, "Too many calls")]
    await shop.create({**PICTURE, "components": [body, header]})
    await shop.caller.operated("DELETE", f"/media/{medium}")
    await shop.caller.advance(10)
    (record,) = await fetched(shop.caller)

    assert record["rejected_reason"].startswith("whatsapp_example_gone: ")
    assert [] == shop.business.taken


async def test_metas_refusal_is_the_reason_of_the_rejection(shop: Shop) -> None:
    """With its number and its words."""
    shop.business.create_errors = [
        refusal(100, "Invalid parameter", "A variable ends the text.", 2388299)
    ]
    await shop.create()
    (record,) = await fetched(shop.caller)

    assert ("Rejected", "whatsapp_2388299: A variable ends the text.") == (
        record["status"],
        record["rejected_reason"],
    )


async def test_a_post_of_meta_decides_at_once(shop: Shop) -> None:
    """Approved, paused later, and approved again; the operator's record says why."""
    await shop.create()
    said = [await shop.post("APPROVED")]
    approved = (await shop.shown())["status"]
    said.append(await shop.post("PAUSED", other_info={"title": "P", "description": "Blocked."}))
    paused = await shop.shown()
    said.append(await shop.post("REINSTATED"))

    assert [200] * 3 == said
    assert "Approved" == approved
    assert ("Rejected", "PAUSED: Blocked.") == (paused["status"], paused["rejected_reason"])
    assert "Approved" == (await shop.shown())["status"]


async def test_a_template_that_meta_has_is_adopted(shop: Shop) -> None:
    """With Meta's decision; nothing is created there."""
    shop.business.add("tea_sent", "en_US", "APPROVED", category="MARKETING")
    await shop.create()
    shown = await shop.shown()

    assert [] == shop.business.taken
    assert ("Approved", "UTILITY", "MARKETING") == (
        shown["status"],
        shown["category"],
        shown["submission"]["category"],
    )


async def test_operators_submit_older_templates(caller: Caller) -> None:
    """409 without a channel account that submits; with one, it is submitted, and once."""
    await created(caller, TEXT)
    without = await review(caller, "submit")
    missing = await review(caller, "submit", "none")
    async with graph_server() as graph:
        body = {"name": "meta", "channelType": "whatsapp", "provider": "whatsapp_cloud"}
        await caller.operated("POST", "/channel-accounts", {**body, "config": graph.config})
        submitted = await review(caller, "submit", language="en_US", account="demo")
        await caller.advance(1)
        again = await review(caller, "submit")
        await caller.advance(1)

    assert (409, "template_not_submittable") == without.refusal
    assert (404, "template_not_found") == missing.refusal
    assert "waiting" == submitted.json["submission"]["status"]
    assert "submitted" == again.json["submission"]["status"]
    assert 1 == len(graph.business.taken)


async def test_an_api_key_submits_nothing(caller: Caller) -> None:
    """The route is an operator's."""
    refused = await caller.post("/admin/v1/wa-templates/tea_sent/submit", {})

    assert (401, "unauthorized") == refused.refusal


async def test_what_goes_wrong_is_shown_to_operators(shop: Shop) -> None:
    """A token without the permission is no fault of the template: it is tried again."""
    shop.business.create_errors = [refusal(200, "(#200) Permissions error")]
    await shop.create()
    waiting = (await shop.shown())["submission"]
    await shop.caller.advance(10)

    assert ("waiting", "whatsapp_200") == (waiting["status"], waiting["code"])
    assert "Permissions error" in waiting["reason"]
    assert "submitted" == (await shop.shown())["submission"]["status"]


async def test_a_service_that_dies_before_meta_answers_submits_once(tmp_path: Path) -> None:
    """The next one finds the template at Meta, when the lost attempt's time is over (D-284)."""
    store, clock = f"sqlite:///{tmp_path / 'store.db'}", StillClock()
    async with graph_server() as graph:
        graph.business.may_answer.clear()
        async with watchword.open(store, clock=clock, run_worker=False) as service:
            shop = await service.accounts.create("shop")
            await service.channel_accounts.create(
                shop, "whatsapp", "whatsapp_cloud", "meta", config=graph.config
            )
            made = await service.whatsapp_templates.create(shop, **TEXT)
            working = asyncio.ensure_future(service.run_due())
            await asyncio.wait_for(graph.business.took.wait(), 10)
            working.cancel()
        graph.business.may_answer.set()
        async with watchword.open(store, clock=clock, run_worker=False) as service:
            lost = await service.whatsapp_templates.get(made.id)
            clock.move(90)
            await service.run_due()
            found = await service.whatsapp_templates.get(made.id)

    assert lost.submission is not None
    assert found.submission is not None
    assert (True, 1) == (lost.submission.under_way, lost.submission.attempts)
    assert ("submitted", 2) == (found.submission.status, found.submission.attempts)
    assert 1 == len(graph.business.taken)


async def test_two_nodes_on_postgresql_submit_a_template_once(
    postgres_url: str, tmp_path: Path
) -> None:
    """Both do due work at the same time; so it is with look-ups."""
    key, clock = "1:" + "a" * 44, StillClock()
    opened = {
        "code_key": key,
        "log_key": LOG_KEY,
        "data_dir": tmp_path,
        "clock": clock,
        "run_worker": False,
    }
    async with (
        graph_server() as graph,
        watchword.open(postgres_url, **opened) as one,  # type: ignore[arg-type]  # the options of both
        watchword.open(postgres_url, **opened) as two,  # type: ignore[arg-type]  # the options of both
    ):
        shop = await one.accounts.create("shop")
        await one.channel_accounts.create(
            shop, "whatsapp", "whatsapp_cloud", "meta", config=graph.config
        )
        for number in range(10):
            await one.whatsapp_templates.create(shop, **{**TEXT, "name": f"tea_{number}"})
        await asyncio.gather(one.run_due(), two.run_due(), one.run_due(), two.run_due())
        # Those for which there was no place come one behind the other.
        clock.move(30)
        await asyncio.gather(one.run_due(), two.run_due())
        names = [each["name"] for each in graph.business.taken]
        graph.business.asked.clear()
        clock.move(300)
        await asyncio.gather(one.run_due(), two.run_due())
        asked = [each for each in graph.business.asked if "after" not in each]

    assert [f"tea_{number}" for number in range(10)] == sorted(names)
    assert 1 == len(asked)
