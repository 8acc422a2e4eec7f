"""E2 over HTTP: sends of the legacy platform, and the callbacks that follow (SPEC 4 E, C-41 to C-43)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.entrypoints.legacy.bodies import RECIPIENT, TEXT
from tests.entrypoints.receiving import Receiver

STORES = EVERY_STORE
TAGS = {"tag1": "tea", "tag2": "autumn"}
FAILS = RECIPIENT[:-4] + "0002"
REFUSED = RECIPIENT[:-4] + "0001"


@pytest.fixture
async def caller(serving: Serving) -> AsyncIterator[Caller]:
    """Yield a client of a service that may call loopback."""
    async with serving(allow_private_urls=True) as client:
        yield client


async def token(caller: Caller, account: str = "demo") -> str:
    """Log in as a new user of an account."""
    login = {"email": f"{account}@tea.example", "password": "oolong-oolong"}
    await caller.operated("POST", "/legacy-users", {"account": account, **login})
    reply = await caller.using(None).post("/account/enterprise/login", login)
    return str(reply.json["data"]["token"])


async def answered(caller: Caller, held: str | None, body: Any) -> dict[str, Any]:
    """Send by the platform, and return the raw answer, which is always HTTP 200 (C-41)."""
    headers = {} if held is None else {"authentication-token": held}
    reply = await caller.using(None).post("/svc/api/message/send", body, headers=headers)
    assert 200 == reply.status
    return dict(reply.json)


async def sent(caller: Caller, held: str, **more: Any) -> str:
    """Send with success, and return the message's id."""
    said = await answered(caller, held, {**TEXT, **more})
    assert {"responseCode": 100, "message": "Success", "data": said["data"]} == said
    (message_id,) = said["data"].values()
    return str(message_id)


async def report(caller: Caller, message_id: str, status: str) -> None:
    """Make the provider report on a message."""
    told = {"messageId": message_id, "status": status}
    reply = await caller.using(None).post("/sandbox/receipts", told)
    assert 200 == reply.status, reply.body


def wrong(said: Mapping[str, Any]) -> list[str]:
    """Return the fields that a 103 names."""
    assert 103 == said["responseCode"], said
    return [each["field"] for each in said["data"]["fields"]]


async def test_a_send_is_one_message_of_the_account(caller: Caller) -> None:
    """On WhatsApp under its template; the report shows the platform and its tags (C-62)."""
    held = await token(caller)
    message_id = await sent(caller, held, departmentId="pots", tags=TAGS)
    (shown,) = [each for each in await caller.outbox() if each["messageId"] == message_id]
    (reported,) = (await caller.operated("GET", "/messages?account=demo&resourceType=legacy"))[
        "data"
    ]

    assert "Hello Asha, your order A-1 is on its way." == shown["text"]
    assert (RECIPIENT, "whatsapp") == (shown["destination"], shown["channel"])
    assert {
        "messageId": message_id,
        "resourceType": "legacy",
        "channelType": "whatsapp",
        "channelName": "sandbox whatsapp",
        "tags": TAGS,
        "custRefs": {"journeyId": "tea-time", "departmentId": "pots"},
        "status": "accepted",
    }.items() <= reported.items()
    assert message_id == (await caller.standing(message_id))["messageId"]


async def test_the_report_is_narrowed_by_tags_and_platform(caller: Caller) -> None:
    """Messages of the API are beside them, and all filters combine (C-37)."""
    held = await token(caller)
    first = await sent(caller, held, tags=TAGS)
    second = await sent(caller, held, tags={"tag1": "tea", "tag3": ""}, journeyId="supper")
    await caller.sent(
        sms=[{"sender": "TEAHSE", "recipient": RECIPIENT, "type": "SI", "messageBody": "Tea."}]
    )

    for query, found in (
        ("tag1=tea", [second, first]),
        ("tag2=autumn", [first]),
        ("tag1=tea&tag2=autumn&resourceType=legacy&channelType=whatsapp", [first]),
        ("tag1=tea&tag3=x", []),
        ("tag1=tea&resourceType=api", []),
        ("reference=supper", [second]),
        ("resourceType=legacy&channelName=sandbox+whatsapp&from=2020-01-01", [second, first]),
        ("resourceType=legacy&channelType=sms", []),
        ("resourceType=legacy&to=2020-01-01", []),
    ):
        listed = (await caller.operated("GET", f"/messages?account=demo&{query}"))["data"]
        assert found == [each["messageId"] for each in listed], query


async def test_statuses_reach_the_url_of_the_message(caller: Caller, receiver: Receiver) -> None:
    """SENT, DELIVERED and READ, in order and each once; FAILED with its reason (C-33, C-53)."""
    held = await token(caller)
    good = await sent(caller, held, callbackUrl=receiver.url, tags=TAGS)
    for number, status in enumerate(("SENT", "DELIVERED", "READ"), start=1):
        await report(caller, good, status)
        await report(caller, good, status)
        await receiver.until(number)
    bad = await sent(caller, held, callbackUrl=receiver.url, recipientPhone=FAILS)
    await report(caller, bad, "FAILED")
    came = await receiver.until(4)
    said = [each.said for each in came]
    times = [each["event"].pop("timestamp") for each in said]

    assert [
        *(
            {
                "event": {"status": status, "messageId": good},
                "phone": RECIPIENT,
                "tags": TAGS,
            }
            for status in ("SENT", "DELIVERED", "READ")
        ),
        {
            "event": {"status": "FAILED", "messageId": bad, "reason": said[3]["event"]["reason"]},
            "phone": FAILS,
            "tags": {},
        },
    ] == said
    assert sorted(times) == times
    assert 4 == len(came) == len({each.id for each in came})
    assert not any("webhook-signature" in each.headers for each in came)


async def test_a_refused_send_names_its_message(caller: Caller, receiver: Receiver) -> None:
    """105 with the provider's words; the URL receives FAILED too, as the message exists (D-104)."""
    held = await token(caller)
    refused = {**TEXT, "recipientPhone": REFUSED, "callbackUrl": receiver.url}
    said = await answered(caller, held, refused)
    (came,) = await receiver.until(1)

    assert 105 == said["responseCode"]
    assert said["message"].startswith("sandbox_rejected: ")
    assert said["data"] == {"messageId": came.said["event"]["messageId"]}
    assert ("FAILED", "sandbox_rejected") == (
        came.said["event"]["status"],
        came.said["event"]["reason"],
    )
    assert "rejected" == (await caller.standing(said["data"]["messageId"]))["status"]


async def test_a_number_of_a_refused_country_is_sent_nothing(caller: Caller) -> None:
    """The guard's refusal is that of any other refused message (C-77, D-104)."""
    held = await token(caller)
    refused = {"countries": {"mode": "enforce", "allow": ["IN"]}}
    await caller.operated("PUT", "/guard", refused)
    said = await answered(caller, held, TEXT)

    assert 105 == said["responseCode"]
    assert said["message"].startswith("destination_not_allowed: ")


async def test_an_opted_out_number_is_sent_nothing(caller: Caller) -> None:
    """The answer is that of any other refused message (C-27, D-104)."""
    held = await token(caller)
    key = {"apikey": str(caller.key)}
    await caller.using(None).post("/opt/out/wa", {"recipients": [RECIPIENT]}, headers=key)
    said = await answered(caller, held, TEXT)

    assert 105 == said["responseCode"]
    assert said["message"].startswith("recipient_opted_out: ")
    assert [] == await caller.outbox()


@pytest.mark.parametrize("held", [None, "", "wrong", "sandbox-key", "t\u00e9a"])
async def test_no_token_no_send(caller: Caller, held: str | None) -> None:
    """102 before a body is looked at, an API key included."""
    bodies: tuple[Any, ...] = (TEXT, {}, [])
    for body in bodies:
        said = await answered(caller, held and held.encode().decode("latin-1"), body)
        assert 102 == said["responseCode"]
        assert {"responseCode", "message"} == said.keys()


async def test_all_wrong_fields_are_named_at_once(caller: Caller) -> None:
    """103, and nothing is sent or kept (C-62)."""
    held = await token(caller)
    before = await caller.recorded()

    assert ["senderPhone", "recipientPhone", "journeyId", "templateId"] == wrong(
        await answered(caller, held, {})
    )
    assert ["journeyId", "media.url", "callbackUrl"] == wrong(
        await answered(
            caller,
            held,
            {**TEXT, "journeyId": "", "media": {"type": "IMAGE"}, "callbackUrl": "ftp://x/"},
        )
    )
    assert ["body"] == wrong(await answered(caller, held, [TEXT]))
    assert before == await caller.recorded()
    assert [] == await caller.outbox()


async def test_strict_handling_names_unknown_members_beside_the_wrong_fields(
    caller: Caller,
) -> None:
    """A caller that prefers strict handling is told of both in one answer (C-62, C-93)."""
    strictly = {"authentication-token": await token(caller), "Prefer": "handling=strict"}
    body = {**TEXT, "journeyId": "", "colour": "red"}

    reply = await caller.using(None).post("/svc/api/message/send", body, headers=strictly)

    assert ["journeyId", "colour"] == wrong(reply.json)


async def test_an_unknown_template_is_104(caller: Caller) -> None:
    """Under any name, and for another account's template."""
    held = await token(caller)

    for template in ("nobody", "wtp_0", "../demo"):
        said = await answered(caller, held, {**TEXT, "templateId": template})
        assert (104, False) == (said["responseCode"], "data" in said)
        assert "language" not in said["message"], "the caller can name none"


async def test_another_account_sends_for_itself(caller: Caller) -> None:
    """Its user sees no templates of others, and no report has both (C-7)."""
    held = await token(caller)
    mine = await sent(caller, held, tags=TAGS)
    await caller.neighbour()
    theirs = await token(caller, "neighbour")

    assert 104 == (await answered(caller, theirs, TEXT))["responseCode"]
    listed = await caller.operated("GET", "/messages?account=neighbour&tag1=tea")
    assert 0 == listed["total"]
    assert [mine] == [each["messageId"] for each in await caller.history()]
