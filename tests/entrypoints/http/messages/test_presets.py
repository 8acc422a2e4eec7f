"""A message by each preset, from its send to the receipt that its vendor posts (C-63, C-70)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from twilio.request_validator import (  # type: ignore[import-untyped]  # the library has no types
    RequestValidator,
)

from tests.adapters.channels.http.vendors import (
    Infobip,
    Kannel,
    Twilio,
    Vendor,
    Vonage,
    running,
)
from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import SMS

PUBLIC = "https://pins.example.com"
SENDER = "+15005550006"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def parameters(vendor: Vendor) -> Mapping[str, Any]:
    """Return what an operator enters for a vendor."""
    match vendor:
        case Twilio():
            own = {"accountSid": "AC0", "authToken": Twilio.token}
        case Infobip():
            own = {"apiKey": Infobip.key}
        case Vonage():
            own = {"apiKey": "k0", "apiSecret": Vonage.secret}
        case _:
            own = {"username": "pins", "password": Kannel.password}
    address = {"url": f"{vendor.url}/cgi-bin/sendsms"} if isinstance(vendor, Kannel) else {}
    return {
        "preset": type(vendor).__name__.lower(),
        **({} if address else {"baseUrl": vendor.url}),
        **address,
        **own,
    }


async def delivered(caller: Caller, vendor: Vendor) -> Reply:
    """Post the receipt of a delivery to the address that the vendor was told."""
    (taken,) = vendor.taken
    message_id = "".join(vendor.issued)
    match vendor:
        case Twilio():
            url = taken["StatusCallback"]
            form = {"MessageSid": message_id, "MessageStatus": "delivered"}
            signature = RequestValidator(Twilio.token).compute_signature(url, form)
            headers = {**FORM, "X-Twilio-Signature": signature}
            return await caller.post(path_of(url), data=urlencode(form).encode(), headers=headers)
        case Infobip():
            report = {"messageId": message_id, "status": {"groupId": 3, "id": 5}}
            url = taken["webhooks"]["delivery"]["url"]
            body = json.dumps({"results": [report]}).encode()
        case Vonage():
            url = taken["webhook_url"]
            body = json.dumps({"message_uuid": message_id, "status": "delivered"}).encode()
        case _:
            url = taken["dlr-url"].replace("%d", "1").replace("%T", "1")
            return await caller.ask("GET", path_of(url))
    headers = {"Content-Type": "application/json"}
    return await caller.post(path_of(url), data=body, headers=headers)


def path_of(url: str) -> str:
    """Return the path and query of an address, which begins with the public URL."""
    assert url.startswith(f"{PUBLIC}/callbacks/cha_")
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


@pytest.mark.parametrize("vendor_class", [Twilio, Infobip, Vonage, Kannel])
async def test_a_message_is_sent_and_its_receipt_is_heard(
    serving: Serving, vendor_class: type[Vendor]
) -> None:
    """The vendor is told an address; what it posts there moves the message, and no other post does."""
    async with running(vendor_class()) as vendor, serving(public_url=PUBLIC) as caller:
        made = await caller.operated(
            "POST",
            "/channel-accounts",
            {
                "name": "phones",
                "channelType": "sms",
                "provider": "http",
                "sender": SENDER,
                "config": parameters(vendor),
            },
        )
        body = await caller.sent(sms=[{**SMS, "sender": SENDER}])
        message_id = str(body["data"][0]["messageId"])
        before = await caller.standing(message_id)
        nobody = caller.using(None)
        refused = await nobody.post(
            f"/callbacks/{made['id']}",
            data=b"{}",
            headers={"Content-Type": "application/json"},
        )
        heard = await delivered(nobody, vendor)
        after = await caller.standing(message_id)

    asked = [name for name, _ in parse_qsl(urlsplit(str(made["callbackUrl"])).query)]
    assert ([] if vendor_class is Twilio else ["t"]) == asked
    assert (401, 200) == (refused.status, heard.status)
    assert "ACCEPTED" == str(before["status"]).upper()
    assert "DELIVERED" == str(after["status"]).upper()
