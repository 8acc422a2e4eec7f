"""The routes where providers report: signatures, bodies of any kind, and answers (C-34)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import Serving, listening
from tests.entrypoints.messaging.sends import RECIPIENT, SMS
from tests.fakes.signing import SECRET, SIGNATURE, SigningProvider, inbound, letter, receipt
from tests.fakes.signing import signature as signed
from watchword.application.errors import UnavailableError
from watchword.application.messages.tracking.receiving_provider_webhooks import (
    ReceivingProviderWebhooks,
)
from watchword.application.ports.channels import Heard
from watchword.domain.receipt import ReceiptStatus
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.app import Exposure
from watchword.entrypoints.settings import Settings

SENT, DELIVERED, READ, FAILED = ReceiptStatus


@frozen
class Courier:
    """A provider that posts its reports, and the account that sends through it."""

    caller: Caller
    account: str

    async def post(
        self, body: bytes, signature: str | None = None, content_type: str = "text/x-letter"
    ) -> Reply:
        """Post a letter, rightly signed unless another signature is given."""
        headers = {SIGNATURE: signature or signed(body), "Content-Type": content_type}
        nobody = self.caller.using(None)
        return await nobody.post(f"/callbacks/{self.account}", data=body, headers=headers)

    async def sent(self) -> str:
        """Send a message through the courier."""
        body = await self.caller.sent(sms=[{**SMS, "sender": "COURIER"}])
        return str(body["data"][0]["messageId"])

    async def events(self, message_id: str) -> list[str]:
        """Return the history of a message."""
        return [each["status"] for each in (await self.caller.standing(message_id))["events"]]


@pytest.fixture
async def courier(serving: Serving) -> AsyncIterator[Courier]:
    """Yield a service with a third party's provider."""
    async with serving(providers={"courier": SigningProvider()}) as caller:
        channel = {"name": "courier", "channelType": "sms", "provider": "courier"}
        made = await caller.operated(
            "POST",
            "/channel-accounts",
            {**channel, "sender": "COURIER", "config": {"secret": SECRET}},
        )
        yield Courier(caller, made["id"])


async def sandbox_post(caller: Caller, **changes: Any) -> tuple[str, bytes]:
    """Send an SMS through the sandbox; return the path and a body for its receipt."""
    await caller.sent(sms=[SMS])
    shown = (await caller.outbox())[-1]
    told = {"providerMessageId": shown["providerMessageId"], "status": "DELIVERED", **changes}
    return f"/callbacks/{shown['channelAccountId']}", json.dumps(told).encode()


async def test_a_signed_letter_is_recorded(courier: Courier) -> None:
    """No key is asked for; the answer says success, under the request's id."""
    message_id = await courier.sent()
    known = f"courier-{message_id}"
    reply = await courier.post(letter(receipt(known, SENT), receipt(known, FAILED, "moved")))
    recorded = (await courier.caller.events(message_id))[-1]

    assert (200, {"status": "success"}) == (reply.status, reply.json)
    assert ["accepted", "sent", "failed"] == await courier.events(message_id)
    assert (courier.account, reply.headers["X-Request-Id"]) == (
        recorded["actor"],
        recorded["requestId"],
    )


async def test_a_letter_may_bring_what_people_write(courier: Courier) -> None:
    """It is recorded once, however often it is posted (D-37)."""
    note = letter(inbound("note-1", RECIPIENT, "COURIER", "Is it ready?"))
    replies = [await courier.post(note), await courier.post(note)]
    listed = await courier.caller.history()

    assert [200, 200] == [each.status for each in replies]
    assert ["inbound"] == [each["direction"] for each in listed]


async def test_a_forged_letter_is_401(courier: Courier) -> None:
    """The answer has the messaging form, and nothing is recorded (C-18)."""
    message_id = await courier.sent()
    forged = await courier.post(letter(receipt(f"courier-{message_id}", READ)), "forged")
    unsigned = await courier.caller.post(f"/callbacks/{courier.account}", data=b"anything")

    for reply in (forged, unsigned):
        assert (401, "unauthorized", "error") == (
            reply.status,
            reply.json["code"],
            reply.json["status"],
        )
        assert "Signature" == reply.headers["WWW-Authenticate"]
    assert ["accepted"] == await courier.events(message_id)


async def test_an_api_key_is_no_signature(courier: Courier) -> None:
    """A caller's key and the operator's token are refused."""
    body = letter(receipt("courier-1", READ))
    for key in (courier.caller.key, "sandbox-admin"):
        reply = await courier.caller.using(key).post(f"/callbacks/{courier.account}", data=body)

        assert 401 == reply.status


async def test_unknown_channel_accounts_are_404(courier: Courier) -> None:
    """For any path and any body."""
    for unknown in ("cha_unknown", "acc_unknown", "%00", courier.account[:-1]):
        reply = await courier.caller.post(f"/callbacks/{unknown}", data=b"{")

        assert (404, "channel_account_not_found") == (reply.status, reply.json["code"])


async def test_a_letter_that_cannot_be_read_is_400(courier: Courier) -> None:
    """Its signature was right: the provider's mistake, said in words."""
    reply = await courier.post(b"no letter")

    assert (400, ["body"]) == (reply.status, [each["field"] for each in reply.json["errors"]])


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/x-www-form-urlencoded", "image/png"]
)
async def test_any_content_type_is_read(courier: Courier, content_type: str) -> None:
    """The form is between the provider and its adapter."""
    reply = await courier.post(letter(receipt("courier-7", SENT)), content_type=content_type)

    assert 200 == reply.status


async def test_a_letter_has_up_to_four_mebibytes(courier: Courier) -> None:
    """One byte more is 413, and a coded one is 415 (D-23)."""
    news = letter(receipt("courier-7", SENT))
    whole, too_long = news.ljust(2**22), news.ljust(2**22 + 1)
    coded = {"Content-Encoding": "gzip"}
    path = f"/callbacks/{courier.account}"

    assert 200 == (await courier.post(whole)).status
    reply = await courier.post(too_long)
    assert (413, "payload_too_large") == (reply.status, reply.json["code"])
    assert "The body is larger than 4 MiB. Send less." == reply.json["message"]
    assert 415 == (await courier.caller.post(path, data=b"x", headers=coded)).status


async def test_a_part_that_cannot_be_recorded_is_503(settings: Settings) -> None:
    """The provider then posts all of it again."""

    class Unreachable(ReceivingProviderWebhooks):
        """A store that is gone in the middle of a letter."""

        def __init__(self) -> None:
            """Need nothing."""

        async def receive(self, *_: object) -> Heard:
            """Fail, as the journal says it."""
            raise UnavailableError

    async with wired(settings) as parts:
        unreachable = Unreachable()
        async with listening(evolve(parts, provider_webhooks=unreachable)) as caller:
            path, body = await sandbox_post(caller)
            reply = await caller.post(path, data=body)

    assert (503, "unavailable") == (reply.status, reply.json["code"])
    assert "1" == reply.headers["Retry-After"]


async def test_the_sandboxs_provider_reports_in_like_any_other(caller: Caller) -> None:
    """Without a signature, under a loopback name (C-4)."""
    path, body = await sandbox_post(caller, errorCode="why")
    (shown,) = await caller.outbox()
    reply = await caller.using(None).post(path, data=body)
    entry = await caller.standing(shown["messageId"])

    assert (200, "delivered", "why") == (
        reply.status,
        entry["status"],
        entry["events"][-1]["errorCode"],
    )


async def test_nobody_makes_a_browser_report(caller: Caller) -> None:
    """A page may post to a loopback port, but under its own name (C-4)."""
    path, body = await sandbox_post(caller)
    (shown,) = await caller.outbox()
    query = f"providerMessageId={shown['providerMessageId']}&status=DELIVERED"
    evil = {"Host": "evil.example"}
    replies = [
        await caller.post(path, data=body, headers=evil),
        await caller.get(f"{path}?{query}", headers=evil),
    ]

    assert [(403, "forbidden")] * 2 == [(each.status, each.json["code"]) for each in replies]
    assert "accepted" == (await caller.standing(shown["messageId"]))["status"]


async def test_a_public_sandbox_takes_reports_from_the_operator_alone(serving: Serving) -> None:
    """Its guard is that of all sandbox routes (C-4)."""
    async with serving(Exposure(admin_token="tell-nobody", sandbox_public=True)) as caller:
        operator = caller.using("tell-nobody")
        accounts = (await operator.get("/admin/v1/channel-accounts")).json["data"]
        path = f"/callbacks/{accounts[0]['id']}"
        body = b'{"providerMessageId": "7", "status": "READ"}'

        assert 401 == (await caller.post(path, data=body)).status
        assert 200 == (await operator.post(path, data=body)).status


async def test_outside_the_sandbox_its_provider_reports_nothing(
    serving: Serving, tmp_path: Path
) -> None:
    """Its channel accounts are still there, and it is not (C-4)."""
    file = f"sqlite:///{tmp_path / 'kept.db'}"
    async with serving(store=file) as caller:
        path, body = await sandbox_post(caller)
    async with serving(store=file, sandbox=False) as caller:
        for host in ("127.0.0.1", "evil.example"):
            reply = await caller.post(path, data=body, headers={"Host": host})

            assert (404, "channel_account_not_found") == (reply.status, reply.json["code"])


async def test_the_sandboxs_provider_reports_in_a_query(caller: Caller) -> None:
    """As some providers do; another member than those of a receipt is ignored (C-70)."""
    path, _ = await sandbox_post(caller)
    (shown,) = await caller.outbox()
    query = f"providerMessageId={shown['providerMessageId']}&status=DELIVERED&more=1"
    replies = [await caller.using(None).get(f"{path}?{each}") for each in (query, "status=LOST")]
    entry = await caller.standing(shown["messageId"])

    assert [200, 400] == [each.status for each in replies]
    assert "delivered" == entry["status"]
