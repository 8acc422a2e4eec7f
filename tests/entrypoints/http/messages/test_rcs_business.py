"""RCS templates by RCS Business Messaging, from their creation to the events (SPEC 2.1 to 2.6, C-70)."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.adapters.channels.rcs_business.google import (
    AGENT,
    TOKEN,
    WITHOUT_RCS,
    Google,
    config_at,
    event,
    posted,
    running,
    signature,
)
from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import Serving
from tests.entrypoints.message_templates.creating_rcs import PROFILE, created, file, review
from tests.entrypoints.messaging.sends import RCS, RECIPIENT

pytestmark = pytest.mark.stores("sqlite")

PUBLIC = "https://pins.example.com"
PICTURE = b"\x89PNG\r\n\x1a\n tea"
CARD: dict[str, Any] = {
    "name": "teas",
    "type": "rich_card",
    "orientation": "VERTICAL",
    "height": "TALL_HEIGHT",
    "standAlone": {
        "fileName": "tea.png",
        "cardTitle": "Tea for [name]",
        "cardDescription": "It is on the counter, and it is hot.",
        "suggestions": [
            {
                "suggestionType": "calendar_event",
                "displayText": "Remember",
                "postback": "remember",
                "title": "Tea",
                "description": "At the house",
                "startTime": "2031-01-31 12:00:00",
                "endTime": "2031-01-31 13:00:00",
                "timeZone": "Asia/Kolkata",
            }
        ],
    },
    "suggestions": [{"suggestionType": "reply", "displayText": "Thanks", "postback": "thanks"}],
}


async def account(caller: Caller, google: Google, **more: Any) -> str:
    """Create a channel account at Google, for the sender profile of the templates."""
    config = {**config_at(google.url), **more}
    body = {
        "name": f"google {config['agentId']}",
        "channelType": "rcs",
        "provider": "rcs_business",
        "sender": PROFILE if config["agentId"] == AGENT else "Other",
        "config": config,
    }
    made = await caller.operated("POST", "/channel-accounts", body)
    assert "***" == made["config"]["serviceAccount"] == made["config"]["webhookToken"]
    return str(made["id"])


async def approved(caller: Caller, **around: str) -> None:
    """Create a template with a file, and approve it."""
    await created(caller, CARD, file("tea.png", PICTURE), **around)
    reply = await review(caller, "approve", senderProfile=PROFILE)
    assert 200 == reply.status, reply.body


def entry(recipient: str = RECIPIENT) -> dict[str, Any]:
    """Return a send of the template."""
    message = {"templateCode": "teas", "customParams": '{"name": "Asha"}'}
    return {
        **RCS,
        "sender": PROFILE,
        "recipient": recipient,
        "contentMessage": {"templateMessage": message},
    }


async def post(caller: Caller, channel_account_id: str, body: bytes, **headers: str) -> Reply:
    """Post what Google posts."""
    kind = {"Content-Type": "application/json"}
    path = f"/callbacks/{channel_account_id}"
    return await caller.using(None).post(path, data=body, headers={**kind, **headers})


async def tell(caller: Caller, channel_account_id: str, told: Any) -> Reply:
    """Post an event with its signature."""
    body = posted(told)
    return await post(caller, channel_account_id, body, **signature(body))


async def test_a_template_is_sent_and_its_events_are_heard(serving: Serving) -> None:
    """The card has a stable public file, and a delivery moves the message; a forged one does not."""
    async with running() as google, serving(public_url=PUBLIC) as caller:
        channel = await account(caller, google)
        await approved(caller, message_type="Transactional")
        (told,) = (await caller.sent(rcs=[{**entry(), "ttl": 90}]))["data"]
        ((provider_id, document),) = google.taken.items()
        shown = document["contentMessage"]["richCard"]["standaloneCard"]["cardContent"]
        address = urlsplit(shown["media"]["contentInfo"]["fileUrl"])
        served = await caller.using(None).get(address.path)
        body = posted(event("DELIVERED", provider_id))
        forged = await post(caller, channel, body, **signature(body, "another-token"))
        before = await caller.standing(told["messageId"])
        heard = await tell(caller, channel, event("DELIVERED", provider_id))
        read = await tell(caller, channel, event("READ", provider_id))
        late = await tell(caller, channel, event("TTL_EXPIRATION_REVOKED", provider_id))
        after = await caller.standing(told["messageId"])

    assert RECIPIENT == google.numbers[provider_id]
    assert ("TRANSACTION", "120s") == (document["messageTrafficType"], document["ttl"])
    assert ("Tea for Asha", "TALL") == (shown["title"], shown["media"]["height"])
    (button,) = shown["suggestions"]
    planned = button["action"]["createCalendarEventAction"]
    assert "2031-01-31T06:30:00Z" == planned["startTime"]
    assert [{"reply": {"text": "Thanks", "postbackData": "thanks"}}] == (
        document["contentMessage"]["suggestions"]
    )
    assert PUBLIC == f"{address.scheme}://{address.netloc}"
    assert (200, PICTURE) == (served.status, served.body)
    assert (401, "accepted") == (forged.status, before["status"])
    assert [200] * 3 == [heard.status, read.status, late.status]
    assert "read" == after["status"]
    assert ["accepted", "delivered", "read", "failed"] == [
        each["status"] for each in after["events"]
    ]


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (1, 2, 0, 0, 1, 2)])
async def test_events_in_any_order_never_move_a_message_back(
    serving: Serving, order: tuple[int, ...]
) -> None:
    """Repeated ones change nothing, and a failure says nothing of a message that arrived (C-50)."""
    kinds = ("DELIVERED", "READ", "TTL_EXPIRATION_REVOKE_FAILED")
    ladder = ["accepted", "delivered", "read"]
    async with running() as google, serving(public_url=PUBLIC) as caller:
        channel = await account(caller, google)
        await approved(caller)
        (told,) = (await caller.sent(rcs=[entry()]))["data"]
        (provider_id,) = google.taken
        reached = []
        for each in order:
            reply = await tell(caller, channel, event(kinds[each], provider_id))
            assert 200 == reply.status
            standing = await caller.standing(told["messageId"])
            reached.append(ladder.index(standing["status"]))

    assert sorted(reached) == reached
    assert "read" == ladder[reached[-1]]


async def test_google_checks_the_webhook(serving: Serving) -> None:
    """The answer is the secret as plain text; a wrong token is 401 (C-99)."""
    async with running() as google, serving() as caller:
        channel = await account(caller, google)
        right, wrong = [
            await post(caller, channel, json.dumps({"clientToken": each, "secret": "s7"}).encode())
            for each in (TOKEN, "another-token")
        ]

    assert (200, b"s7") == (right.status, right.body)
    assert right.headers["Content-Type"].startswith("text/plain")
    assert 401 == wrong.status


async def test_a_person_answers(serving: Serving) -> None:
    """A tapped reply is an inbound message to the agent."""
    async with running() as google, serving() as caller:
        channel = await account(caller, google)
        told = {
            "senderPhoneNumber": RECIPIENT,
            "messageId": "their-9",
            "agentId": f"{AGENT}@rbm.goog",
            "suggestionResponse": {"postbackData": "thanks", "text": "Thanks", "type": "REPLY"},
        }
        heard = await tell(caller, channel, told)
        (inbound, *_) = await caller.history()
        events = (await caller.operated("GET", "/events?limit=1000"))["data"]
    (received,) = [each["data"] for each in events if each["type"] == "MessageReceived"]

    assert 200 == heard.status
    assert ("inbound", "rcs", RECIPIENT, AGENT) == (
        inbound["direction"],
        inbound["channel"],
        inbound["sender"],
        inbound["recipient"],
    )
    assert "Thanks" == received["text"]


async def test_a_partners_webhook_hears_for_all_its_agents(serving: Serving) -> None:
    """An event of another agent under the same token moves that agent's message, and no other's."""
    async with running() as google, serving(public_url=PUBLIC) as caller:
        await account(caller, google)
        other = await account(caller, google, agentId="other_agent")
        stranger = await account(
            caller, google, agentId="strange_agent", webhookToken="a-strangers-token"
        )
        await approved(caller)
        (told,) = (await caller.sent(rcs=[entry()]))["data"]
        (provider_id,) = google.taken
        body = posted(event("DELIVERED", provider_id))
        foreign = await post(caller, stranger, body, **signature(body, "a-strangers-token"))
        before = await caller.standing(told["messageId"])
        handed = await tell(caller, other, event("DELIVERED", provider_id))
        after = await caller.standing(told["messageId"])

    assert [200, 200] == [foreign.status, handed.status]
    assert ("accepted", "delivered") == (before["status"], after["status"])


async def test_a_number_without_rcs_is_rejected(serving: Serving) -> None:
    """With Google's code, and without a word of its answer, which quotes the number."""
    number = f"+44770090{WITHOUT_RCS}"
    async with running() as google, serving(public_url=PUBLIC) as caller:
        await account(caller, google)
        await approved(caller)
        (told,) = (await caller.sent(rcs=[entry(number)]))["data"]

    assert ("rejected", "rcs_not_found") == (told["status"], told["errorCode"])
    assert number not in told["errorMessage"]


async def test_without_a_public_address_no_file_can_be_sent(serving: Serving) -> None:
    """Google cannot fetch it, and the words say what to do."""
    async with running() as google, serving() as caller:
        await account(caller, google)
        await approved(caller)
        (told,) = (await caller.sent(rcs=[entry()]))["data"]

    assert ("rejected", "rcs_file_not_public") == (told["status"], told["errorCode"])
    assert "--public-url" in told["errorMessage"]
    assert {} == google.taken


async def test_a_test_says_whether_the_number_has_rcs(serving: Serving) -> None:
    """The connect step asks for its features (C-67)."""
    number = f"+44770090{WITHOUT_RCS}"
    async with running() as google, serving() as caller:
        channel = await account(caller, google)
        path = f"/channel-accounts/{channel}/test"
        good, bad = [
            await caller.operated("POST", path, {"to": each}) for each in (RECIPIENT, number)
        ]

    assert [("ok", "accepted"), ("ok", "rejected")] == [
        (each["steps"][1]["status"], each["outcome"]) for each in (good, bad)
    ]
    assert f"agent {AGENT}; the number takes RCS: RICHCARD" in good["steps"][1]["detail"]
    assert "the number takes no RCS messages" in bad["steps"][1]["detail"]
    assert "SERVICEREQUEST" == next(iter(google.taken.values()))["messageTrafficType"]
