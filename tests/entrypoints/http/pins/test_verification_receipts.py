"""Verification receipts: what D3 answers under a template that asks for them (C-83, C-105)."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest

from tests.entrypoints.caller import DESTINATION, Caller
from tests.entrypoints.conftest import EVERY_STORE, Serving
from watchword.application.caller import Caller as By
from watchword.application.errors import UnavailableError
from watchword.application.pins.verification_receipts import VerificationReceipts
from watchword.application.pins.verifying_pins import VerifyingPins
from watchword.domain.destination import canonical
from watchword.entrypoints.wired import Wired

STORES = EVERY_STORE


async def claims_of(caller: Caller, receipt: str, **options: Any) -> dict[str, Any]:
    """Check a receipt with nothing but the published keys, and return its claims."""
    reply = await caller.using(None).get("/.well-known/jwks.json")
    assert 200 == reply.status
    key = jwt.PyJWKSet.from_dict(reply.json)[jwt.get_unverified_header(receipt)["kid"]]
    checked: dict[str, Any] = jwt.decode(receipt, key, algorithms=["EdDSA"], **options)
    return checked


async def receipt_of(caller: Caller, pin_id: str) -> str:
    """Verify a PIN, and return its receipt."""
    reply = await caller.verify(pin_id, await caller.code())
    assert 200 == reply.status
    assert {"pinId", "status", "attemptsRemaining", "receipt"} == reply.json.keys()
    return str(reply.json["receipt"])


async def test_a_receipt_attests_to_the_recorded_verification(caller: Caller) -> None:
    """Its position is that of PinVerified, its time the machine's, its issuer the service's address."""
    tea = await caller.with_template(receipt="clear")
    pin_id = await tea.created()
    await tea.advance(300)
    claims = await claims_of(
        tea, await receipt_of(tea, pin_id), issuer=str(tea.endpoint.make_url(""))
    )
    recorded = (await tea.events(pin_id))[-1]
    age = datetime.now(UTC) - datetime.fromtimestamp(claims["iat"], UTC)

    assert ("PinVerified", claims["position"]) == (recorded["type"], recorded["position"])
    assert (pin_id, tea.template, "sms", DESTINATION) == tuple(
        claims[each] for each in ("pinId", "template", "channel", "sub")
    )
    assert timedelta(0) <= age < timedelta(minutes=1)
    assert {"iss", "jti", "iat", "sub", "pinId", "template", "channel", "position"} == claims.keys()


async def test_a_hashed_receipt_names_nobody(caller: Caller) -> None:
    """`sub` is the digest of the salt's text and of the canonical destination."""
    tea = await caller.with_template(receipt="hashed")
    receipt = await receipt_of(tea, await tea.created())
    claims = await claims_of(tea, receipt)
    digest = hashlib.sha256((claims["salt"] + canonical(DESTINATION)).encode()).digest()

    assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == claims["sub"]
    assert canonical(DESTINATION) not in json.dumps(claims)


async def test_a_template_without_receipts_answers_as_ever(caller: Caller) -> None:
    """Null is the default, and the answer of D3 has no further member."""
    record = await caller.operated("GET", f"/pin-templates/{caller.template}")
    pin_id = await caller.created()
    reply = await caller.verify(pin_id, await caller.code())

    assert record["receipt"] is None
    assert {"pinId", "status", "attemptsRemaining"} == reply.json.keys()


async def test_a_sent_pin_keeps_what_its_template_asked_for(caller: Caller) -> None:
    """A revision is for the codes that are sent after it, as all limits are; a resend follows it."""
    tea = await caller.with_template(receipt="clear", resendCooldown="0s")
    sent, resent = await tea.created(), await tea.created("+919812345611")
    revised = await tea.operated("PATCH", f"/pin-templates/{tea.template}", {"receipt": None})
    assert 200 == (await tea.resend(resent)).status
    reply = await tea.verify(resent, await tea.code("+919812345611"))

    assert revised["receipt"] is None
    assert "receipt" not in reply.json
    assert await receipt_of(tea, sent)


@pytest.mark.parametrize("wrong", [True, "CLEAR", "", 1, ["clear"]])
async def test_any_other_form_is_refused(caller: Caller, wrong: object) -> None:
    """`receipt` is null, clear or hashed, in a create and in a revision."""
    body = {"name": "tea", "channels": [{"channelType": "sms"}], "receipt": wrong}
    path = f"/pin-templates/{caller.template}"

    assert ["receipt"] == (await caller.operate("POST", "/pin-templates", body)).wrong
    assert ["receipt"] == (await caller.operate("PATCH", path, {"receipt": wrong})).wrong


async def test_every_channel_that_may_have_carried_the_code_is_named(caller: Caller) -> None:
    """Of two channels that accepted, nobody knows which was read; one that refused is left out."""
    rejecting = await caller.rejecting_whatsapp()
    email = {"channelType": "email"}
    tea = await caller.with_template({"channelType": "sms"}, email, rejecting, receipt="clear")
    pin_id = await tea.created(channels=["whatsapp", "sms"])
    claims = await claims_of(tea, await receipt_of(tea, pin_id))

    assert "sms" == claims["channel"]


async def test_a_test_destination_gets_none(caller: Caller) -> None:
    """Nothing was sent there, and its code is known beforehand: there is nothing to attest to (D-463)."""
    tea = await caller.with_template(receipt="clear")
    await tea.operated(
        "POST",
        "/test-destinations",
        {
            "account": "demo",
            "destination": DESTINATION,
            "code": "123456",
            "until": (datetime.now(UTC) + timedelta(days=1)).isoformat(),
        },
    )
    reply = await tea.verify(await tea.created(), "123456")

    assert (200, {"pinId", "status", "attemptsRemaining"}) == (reply.status, reply.json.keys())


async def test_nothing_of_a_receipt_is_stored(caller: Caller) -> None:
    """No event has it; D3 takes no Idempotency-Key, so that no saved answer has it either (D-460)."""
    tea = await caller.with_template(receipt="hashed")
    pin_id = await tea.created()
    code = await tea.code()
    once = {"Idempotency-Key": "tea-1"}
    first = await tea.post(f"/v1/pins/{pin_id}/verify", {"pin": code}, headers=once)
    second = await tea.post(f"/v1/pins/{pin_id}/verify", {"pin": code}, headers=once)
    jti = (await claims_of(tea, first.json["receipt"]))["jti"]
    log = json.dumps((await tea.operated("GET", "/events?limit=1000"))["data"])

    assert (409, "pin_already_verified") == second.refusal
    assert jti not in log
    assert first.json["receipt"].rpartition(".")[2] not in log


async def test_a_node_without_the_key_spends_no_attempt(service: Wired, caller: Caller) -> None:
    """Its answer is 503, so that the caller tries again at a node that has the key (D-462)."""
    tea = await caller.with_template(receipt="clear")
    pin_id = await tea.created()
    by = By((await tea.events(pin_id))[0]["data"]["accountId"], "key-till", "req_1")
    without = VerificationReceipts(None, service.randomness, service.clock)
    keyless = VerifyingPins(
        service.journal,
        NeverAsked(),
        service.clock,
        service.verifying._guarding,
        without,
    )
    with pytest.raises(UnavailableError):
        await keyless.verify(by, pin_id, await tea.wrong_code())

    assert ["PinIssued", "PinDispatched"] == await tea.story(pin_id)
    assert [] == without.public_keys()
    assert await receipt_of(tea, pin_id)


async def test_the_newest_of_two_keys_signs(serving: Serving) -> None:
    """`NEW,OLD` publishes both, and the first signs."""
    keys = [base64.b64encode(bytes([each]) * 32).decode() for each in (1, 2)]
    async with serving(receipt_key=",".join(keys)) as caller:
        tea = await caller.with_template(receipt="clear")
        receipt = await receipt_of(tea, await tea.created())
        published = (await caller.get("/.well-known/jwks.json")).json["keys"]

    assert 2 == len(published)
    assert published[0]["kid"] == jwt.get_unverified_header(receipt)["kid"]


class NeverAsked:
    """A hasher that no guess reaches."""

    async def hash(self, pin_id: str, issue: int, code: str) -> str:
        """Fail."""
        raise AssertionError

    async def matches(self, pin_id: str, issue: int, code: str, code_hash: str) -> bool:
        """Fail."""
        raise AssertionError
