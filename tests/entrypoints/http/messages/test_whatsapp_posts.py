"""Late, repeated, foreign and forged posts of Meta move nothing that they should not (C-22, C-34, C-99)."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from attrs import frozen

from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    CONFIG,
    OWN_ACCOUNT,
    contact,
    failure,
    messages,
    signed,
    status,
    template_event,
    whole,
    written,
)
from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from tests.entrypoints.message_templates.creating_whatsapp import TEXT, created, fetched
from tests.entrypoints.messaging.sends import RECIPIENT, session
from watchword.testing import FaultyHttp, HttpAnswer

STORES = ("memory",)
PUBLIC = "https://pins.example.com"
APP, OTHERS = CONFIG["appSecret"], "of another house"
LADDER = ("accepted", "sent", "delivered", "read")


@frozen
class Phone:
    """A phone number of a business, and the account here that it belongs to."""

    caller: Caller
    channel_account: str
    id: str
    sender: str
    wamid: str

    async def post(self, document: Any, secret: str = APP) -> int:
        """Post to the address of this phone, and return the status of the answer."""
        body = json.dumps(document).encode()
        nobody = self.caller.using(None)
        path = f"/callbacks/{self.channel_account}"
        return (await nobody.post(path, data=body, headers=signed(body, secret))).status

    async def written_to(self, secret: str = APP, **more: Any) -> None:
        """Let the recipient write to this phone, by a post to its own address."""
        note = written("text", {"body": "Hi"}, **{"from": RECIPIENT.lstrip("+"), **more})
        note["id"] = f"wamid.note{self.id}"
        change = messages(self.id, contacts=[contact()], messages=[note])
        assert 200 == await self.post(whole(change), secret)

    async def sent(self) -> Mapping[str, Any]:
        """Send a text in the session, and return its part of the answer."""
        entry = {**session("text", {"body": "Yes."}), "sender": self.sender}
        (record,) = (await self.caller.sent(wa=[entry]))["data"]
        return dict(record)

    async def state(self, message_id: str) -> str:
        """Return the status of a message."""
        return str((await self.caller.standing(message_id))["status"])

    async def told(self, message_id: str) -> int:
        """Return the number of events of a message."""
        return len(await self.caller.events(message_id))


@frozen
class Houses:
    """The tea house with two phones, and a neighbour with two: one under the app of the tea house."""

    own: Phone
    second: Phone
    shared: Phone
    foreign: Phone


@asynccontextmanager
async def phone(
    caller: Caller, number: int, secret: str = APP, account: str = "demo"
) -> AsyncIterator[Phone]:
    """Serve with a channel account of a phone, whose API takes one message."""
    wamid = f"wamid.{number}"
    async with FaultyHttp(HttpAnswer.json({"messages": [{"id": wamid}]})) as web:
        named = {"name": f"phone {number}", "sender": f"+1555010{number}", "account": account}
        kind = {"channelType": "whatsapp", "provider": "whatsapp_cloud"}
        config = {
            **CONFIG,
            "phoneNumberId": f"10634054224292{number}",
            "appSecret": secret,
            "baseUrl": f"http://127.0.0.1:{web.port}",
        }
        made = await caller.operated(
            "POST", "/channel-accounts", {**named, **kind, "config": config}
        )
        yield Phone(caller, made["id"], config["phoneNumberId"], named["sender"], wamid)


@pytest.fixture
async def houses(serving: Serving) -> AsyncIterator[Houses]:
    """Yield a service with four phones."""
    async with serving(public_url=PUBLIC) as caller, AsyncExitStack() as stack:
        lily = await caller.neighbour("lily")
        own = await stack.enter_async_context(phone(caller, 1))
        second = await stack.enter_async_context(phone(caller, 2))
        shared = await stack.enter_async_context(phone(lily, 3, account="lily"))
        foreign = await stack.enter_async_context(phone(lily, 4, OTHERS, account="lily"))
        yield Houses(own, second, shared, foreign)


def about(each: Phone, word: str, wamid: str | None = None, **more: Any) -> dict[str, Any]:
    """Return a post with the status of a message of a phone."""
    said = status(wamid or each.wamid, word, **more)
    return whole(messages(each.id, contacts=[contact()], statuses=[said]))


@pytest.mark.parametrize("seed", range(6))
async def test_the_ladder_never_goes_back(houses: Houses, seed: int) -> None:
    """Statuses come twice and in any order, alone and together; a failure after the delivery is late."""
    own, chance = houses.own, random.Random(seed)
    await own.written_to()
    message_id = (await own.sent())["messageId"]
    words = [*LADDER[1:]] * 2
    chance.shuffle(words)
    states = []
    while words:
        together = [words.pop() for _ in range(min(len(words), chance.randint(1, 3)))]
        said = [status(own.wamid, each) for each in together]
        document = whole(messages(own.id, contacts=[contact()], statuses=said))
        assert 200 == await own.post(document)
        states.append(await own.state(message_id))
    assert 200 == await own.post(about(own, "failed", **failure(131026)))
    ranks = [LADDER.index(each) for each in states]

    assert sorted(ranks) == ranks
    assert ["read", "read"] == [states[-1], await own.state(message_id)]


async def test_a_status_reaches_the_phone_that_it_is_about(houses: Houses) -> None:
    """One address hears for all phones of the app, also for a neighbour's that has the app's secret."""
    for each in (houses.second, houses.shared):
        await each.written_to()
        message_id = (await each.sent())["messageId"]

        assert 200 == await houses.own.post(about(each, "delivered"))
        assert "delivered" == await each.state(message_id)


async def test_nothing_of_another_account_moves(houses: Houses) -> None:
    """Neither by its phone, nor by Meta's id, nor by our reference, in a post that is rightly signed."""
    foreign, own = houses.foreign, houses.own
    await foreign.written_to(OTHERS)
    message_id = (await foreign.sent())["messageId"]
    before = await foreign.told(message_id)
    reference = {"biz_opaque_callback_data": message_id}
    posted = [
        await own.post(about(foreign, "read")),
        await own.post(about(foreign, "read", **reference)),
        await own.post(about(own, "read", foreign.wamid)),
        await own.post(about(own, "failed", "wamid.9", **reference, **failure(131026))),
        await own.post(about(houses.shared, "read", foreign.wamid, **reference)),
    ]

    assert [200] * 5 == posted
    assert ("accepted", before) == (
        await foreign.state(message_id),
        await foreign.told(message_id),
    )


async def test_a_forged_post_moves_nothing(houses: Houses) -> None:
    """The secret of one app signs nothing for an account of another."""
    foreign, own = houses.foreign, houses.own
    await own.written_to()
    message_id = (await own.sent())["messageId"]
    before = await own.told(message_id)
    posted = [
        await own.post(about(own, "read"), OTHERS),
        await own.post(about(own, "read"), ""),
        await foreign.post(about(own, "read"), APP),
        await foreign.post(about(own, "read"), OTHERS),
    ]

    assert [401, 401, 401, 200] == posted
    assert ("accepted", before) == (await own.state(message_id), await own.told(message_id))


@pytest.mark.parametrize(
    "more",
    [{"from": None}, {"group_id": "Y2FwaV9n"}, {"from": "15005550006"}],
    ids=["who shows no number", "in a group", "somebody else"],
)
async def test_who_did_not_write_to_us_has_no_session(houses: Houses, more: Any) -> None:
    """A text without a template is sent to nobody else than the one who wrote (C-26)."""
    await houses.own.written_to(**more)
    record = await houses.own.sent()

    assert ("rejected", "session_expired") == (record["status"], record["errorCode"])


async def test_a_decision_on_a_template_reaches_all_that_share_the_business_account(
    houses: Houses,
) -> None:
    """The tea house and the neighbour have the template of one business account (D-281)."""
    for each in (houses.own, houses.shared):
        await created(each.caller, TEXT)
    event = template_event("REJECTED", TEXT["name"], TEXT["language"], reason="SCAM")
    foreign = whole(event, account="666")

    assert 200 == await houses.foreign.post(whole(event, account="777"), OTHERS)
    assert 200 == await houses.own.post(foreign)
    assert ["Pending"] * 2 == [await decided(each) for each in (houses.own, houses.shared)]
    assert 200 == await houses.second.post(whole(event, account=OWN_ACCOUNT))
    assert ["Rejected"] * 2 == [await decided(each) for each in (houses.own, houses.shared)]


async def decided(each: Phone) -> str:
    """Return the status of the one template of an account."""
    (template,) = await fetched(each.caller)
    return str(template["status"])
