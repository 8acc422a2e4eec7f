"""The presets: what each vendor gets, answers and posts, by what it publishes (C-63)."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from msgspec.structs import replace
from twilio.request_validator import (  # type: ignore[import-untyped]  # the library has no types
    RequestValidator,
)

from tests.adapters.channels.http.test_signatures import claims_on, token_of
from tests.adapters.channels.http.vendors import (
    LIMITED,
    UNKNOWN,
    UNSUBSCRIBED,
    Infobip,
    Kannel,
    Twilio,
    Vendor,
    Vonage,
    running,
)
from watchword.adapters.channels.http.hearing.settings import hearing_problems
from watchword.adapters.channels.http.presets import PRESETS
from watchword.adapters.channels.http.provider import HttpProvider
from watchword.application.ports.channels import (
    Accepted,
    Fault,
    InboundMessage,
    Message,
    Post,
    ProviderReport,
    Rejected,
)
from watchword.domain.accounts.api_key import UnauthorizedError
from watchword.domain.errors import ValidationFailedError
from watchword.domain.price import Price
from watchword.domain.receipt import ReceiptStatus
from watchword.testing import FakeContext, a_message

URL = "https://pins.example.com/callbacks/cha_orchid"
TOKEN = "a-token-of-at-least-sixteen"
MESSAGE = replace(
    a_message(),
    sender="+15005550006",
    ttl_seconds=300,
    template_id="1107160000000012345",
    entity_id="1101400000000012345",
)
TO, DIGITS = MESSAGE.destination, MESSAGE.destination.removeprefix("+")
FORM = {"content-type": "application/x-www-form-urlencoded"}


def parameters(vendor: Vendor, **more: Any) -> dict[str, Any]:
    """Return the parameters of a vendor's preset."""
    match vendor:
        case Twilio():
            config = {"preset": "twilio", "accountSid": "AC0", "authToken": Twilio.token}
        case Infobip():
            config = {"preset": "infobip", "apiKey": Infobip.key}
        case Vonage():
            config = {"preset": "vonage", "apiKey": "k0", "apiSecret": Vonage.secret}
        case _:
            config = {"preset": "kannel", "username": "pins", "password": Kannel.password}
    if isinstance(vendor, Kannel):
        config["url"] = f"{vendor.url}/cgi-bin/sendsms"
    else:
        config["baseUrl"] = vendor.url
    token = {} if isinstance(vendor, Twilio) else {"callbackToken": TOKEN}
    return {**config, **token, **more}


@asynccontextmanager
async def opened(*, public: bool = True) -> AsyncIterator[HttpProvider]:
    """Open the provider."""
    provider = HttpProvider()
    await provider.open(FakeContext(public=public))
    try:
        yield provider
    finally:
        await provider.close()


async def sent(
    vendor: Vendor, message: Message = MESSAGE, *, public: bool = True, **more: Any
) -> object:
    """Return the outcome of a send by a vendor, with more parameters."""
    async with running(vendor), opened(public=public) as provider:
        return await provider.send(parameters(vendor, **more), message)


async def test_twilio_gets_a_form() -> None:
    """Its fields are those of "Messages resource"; the sender is a number or a messaging service."""
    vendor = Twilio()
    outcome = await sent(vendor)
    expected = {
        "To": TO,
        "From": "+15005550006",
        "Body": MESSAGE.text,
        "StatusCallback": URL,
        "ValidityPeriod": "300",
    }

    assert [expected] == vendor.taken
    assert ["POST /2010-04-01/Accounts/AC0/Messages.json"] == vendor.paths
    assert isinstance(outcome, Accepted)
    assert outcome.provider_message_id.startswith("SM")
    assert (2, Price("0.00750", "USD")) == (outcome.segments, outcome.price)

    service = Twilio()
    await sent(service, replace(MESSAGE, ttl_seconds=172_800), messagingServiceSid="MG0")
    (form,) = service.taken
    assert {"MessagingServiceSid", "ValidityPeriod"} == {*form} - {"To", "Body", "StatusCallback"}
    assert "36000" == form["ValidityPeriod"]


async def test_infobip_gets_json() -> None:
    """Its members are those of SmsRequest; the validity is a number, and the DLT ids are regional."""
    vendor = Infobip()
    outcome = await sent(vendor)
    expected = {
        "sender": "+15005550006",
        "destinations": [{"to": DIGITS}],
        "content": {"text": MESSAGE.text},
        "options": {
            "validityPeriod": {"amount": 300, "timeUnit": "SECONDS"},
            "regional": {
                "indiaDlt": {
                    "contentTemplateId": "1107160000000012345",
                    "principalEntityId": "1101400000000012345",
                }
            },
        },
        "webhooks": {
            "delivery": {"url": f"{URL}?t={TOKEN}"},
            "callbackData": MESSAGE.reference,
        },
    }

    assert [expected] == vendor.taken
    assert isinstance(outcome, Accepted)
    assert 2 == outcome.segments


async def test_vonage_gets_json() -> None:
    """Its members are those of a text message over SMS; numbers have no plus."""
    vendor = Vonage()
    await sent(vendor)
    expected = {
        "channel": "sms",
        "message_type": "text",
        "to": DIGITS,
        "from": "15005550006",
        "text": MESSAGE.text,
        "ttl": 300,
        "client_ref": MESSAGE.reference,
        "webhook_url": f"{URL}?t={TOKEN}",
        "webhook_version": "v1",
        "sms": {"entity_id": "1101400000000012345", "content_id": "1107160000000012345"},
    }

    assert [expected] == vendor.taken


async def test_kannel_gets_a_query() -> None:
    """Its variables are those of sendsms; the reference is the message's id."""
    vendor = Kannel()
    outcome = await sent(vendor)
    expected = {
        "username": "pins",
        "password": Kannel.password,
        "from": "+15005550006",
        "to": TO,
        "text": MESSAGE.text,
        "charset": "UTF-8",
        "coding": "0",
        "validity": "5",
        "dlr-mask": "27",
        "dlr-url": f"{URL}?t={TOKEN}&reference={MESSAGE.reference}&status=%d&at=%T",
        "meta-data": "?smpp?entity_id=1101400000000012345&template_id=1107160000000012345",
    }

    assert [expected] == vendor.taken
    assert Accepted(MESSAGE.reference) == outcome


@pytest.mark.parametrize(
    ("unicode", "text", "coding"),
    [
        (True, "code", "2"),
        (False, "code", "0"),
        (None, "code", "0"),
        (False, "4€ [öl]", "0"),
        (None, "कोड", "2"),
        (False, "कोड", "2"),
    ],
)
async def test_kannel_is_told_the_coding(unicode: bool | None, text: str, coding: str) -> None:
    """Kannel would put a question mark in the place of each letter that GSM 03.38 has not."""
    vendor = Kannel()
    await sent(vendor, replace(MESSAGE, unicode=unicode, text=text))

    assert [(text, coding)] == [(each["text"], each["coding"]) for each in vendor.taken]


@pytest.mark.parametrize("reference", ["pin_orchid:1:sms", "50 % of & tea"])
async def test_a_report_that_kannel_calls_is_heard(reference: str) -> None:
    """Kannel replaces its escapes in the address that it was given, as its guide says."""
    vendor = Kannel()
    await sent(vendor, replace(MESSAGE, reference=reference))
    (message,) = vendor.taken
    values = {"%d": "1", "%T": "1935658800", "%%": "%"}
    called = re.sub("%.", lambda escape: values.get(escape[0], ""), message["dlr-url"])
    async with opened() as provider:
        (report,) = (
            await provider.hear(parameters(vendor), Post(method="GET", url=called))
        ).reports

    assert isinstance(report, ProviderReport)
    assert reference == report.provider_message_id == report.reference
    assert datetime(2031, 5, 4, 11, tzinfo=UTC) == report.receipt.reported_at


@pytest.mark.parametrize("vendor_class", [Twilio, Infobip, Vonage, Kannel])
async def test_without_a_public_url_no_address_is_told(vendor_class: type[Vendor]) -> None:
    """Nothing about receipts is in the request, and nothing of an absent value."""
    vendor = vendor_class()
    bare = replace(MESSAGE, ttl_seconds=None, template_id=None, entity_id=None, sender="Orchid")
    await sent(vendor, bare, public=False)
    (taken,) = vendor.taken
    written = json.dumps(taken)

    for absent in ("callbacks", "None", "dlr", "webhook_url", "delivery", "smpp", "entity", '""'):
        assert absent not in written
    for absent in ("ttl", "validity", "ValidityPeriod", "options"):
        assert absent not in taken


@pytest.mark.parametrize(
    ("vendor_class", "number", "code", "fault"),
    [
        (Twilio, UNKNOWN, "twilio_21211", Fault.RECIPIENT),
        (Twilio, UNSUBSCRIBED, "twilio_21610", Fault.RECIPIENT),
        (Twilio, LIMITED, "twilio_20429", Fault.BUSY),
        (Infobip, UNKNOWN, "infobip_52", Fault.RECIPIENT),
        (Infobip, LIMITED, "infobip_e429", Fault.BUSY),
        (Vonage, UNKNOWN, "vonage_1170", Fault.RECIPIENT),
        (Vonage, LIMITED, "vonage_1000", Fault.BUSY),
        (Kannel, UNKNOWN, "kannel_400", Fault.CONTENT),
        (Kannel, LIMITED, "kannel_503", Fault.BUSY),
    ],
)
async def test_a_refusal_keeps_the_vendors_number(
    vendor_class: type[Vendor], number: str, code: str, fault: Fault
) -> None:
    """The code is the vendor's, and the fault says whether another account may do better (C-69)."""
    vendor = vendor_class()
    outcome = await sent(vendor, replace(MESSAGE, destination=f"+{number}"))

    assert isinstance(outcome, Rejected)
    assert (code, fault) == (outcome.code, outcome.fault)
    assert [] == vendor.taken


@pytest.mark.parametrize(
    ("vendor_class", "secret", "code"),
    [
        (Twilio, "authToken", "twilio_20003"),
        (Infobip, "apiKey", "infobip_e401"),
        (Vonage, "apiSecret", "vonage_unauthorized"),
        (Kannel, "password", "kannel_403"),
    ],
)
async def test_a_wrong_secret_is_the_accounts_fault(
    vendor_class: type[Vendor], secret: str, code: str
) -> None:
    """Another channel account may do better, so the fault is not the message's (C-69)."""
    async with running(vendor_class()) as vendor, opened() as provider:
        outcome = await provider.send({**parameters(vendor), secret: "wrong-secret"}, MESSAGE)

    assert isinstance(outcome, Rejected)
    assert (code, Fault.ACCOUNT) == (outcome.code, outcome.fault)


@pytest.mark.parametrize(
    ("status", "ours"),
    [
        ({"groupId": 3, "id": 5, "name": "DELIVERED_TO_HANDSET"}, ReceiptStatus.DELIVERED),
        ({"groupId": 3, "id": 2, "name": "DELIVERED_TO_OPERATOR"}, ReceiptStatus.SENT),
        ({"groupId": 2, "id": 9, "name": "UNDELIVERABLE_NOT_DELIVERED"}, ReceiptStatus.FAILED),
        ({"groupId": 4, "id": 15, "name": "EXPIRED_EXPIRED"}, ReceiptStatus.FAILED),
        ({"groupId": 5, "id": 10, "name": "REJECTED_DND"}, ReceiptStatus.FAILED),
        ({"groupId": 1, "id": 7, "name": "PENDING_ENROUTE"}, None),
    ],
)
async def test_a_message_with_the_operator_is_not_delivered_yet(
    status: Mapping[str, Any], ours: ReceiptStatus | None
) -> None:
    """The group decides, but for the status that Infobip counts as delivered too early (D-207)."""
    body = json.dumps({"results": [{"messageId": "a", "status": status}]}).encode()
    async with opened() as provider:
        heard = await provider.hear(parameters(Infobip()), Post(url=f"{URL}?t={TOKEN}", body=body))

    assert [ours] * (ours is not None) == [
        each.receipt.status for each in heard.reports if isinstance(each, ProviderReport)
    ]


async def heard_inbound(vendor: Vendor, post: Post) -> tuple[InboundMessage, str | None, bytes]:
    """Return the message in a post, and the answer to it."""
    async with opened() as provider:
        heard = await provider.hear(parameters(vendor), post)
    (message,) = heard.reports
    assert isinstance(message, InboundMessage)
    return message, heard.content_type, heard.body


def inbound(identifier: str) -> InboundMessage:
    """Return the message of these tests."""
    return InboundMessage(
        provider_message_id=identifier, sender="447900900001", recipient="447900900002", text="STOP"
    )


async def test_an_inbound_message_of_twilio_is_answered_in_its_markup() -> None:
    """A text would go to the person, and JSON is an error ("Twilio's request to your application")."""
    members = {
        "MessageSid": "SM1",
        "SmsStatus": "received",
        "AccountSid": "AC0",
        "From": "447900900001",
        "To": "447900900002",
        "Body": "STOP",
        "NumMedia": "0",
    }
    signature = RequestValidator(Twilio.token).compute_signature(URL, members)
    headers = {**FORM, "x-twilio-signature": signature}
    post = Post(url=URL, headers=headers, body=urlencode(members).encode())

    assert (inbound("SM1"), "text/xml", b"<Response/>") == await heard_inbound(Twilio(), post)


async def test_an_inbound_message_of_infobip_is_heard() -> None:
    """It is one of `results`, as reports are ("Receive inbound SMS messages")."""
    message = {
        "messageId": "in-1",
        "from": "447900900001",
        "to": "447900900002",
        "text": "STOP",
        "cleanText": "",
        "keyword": "STOP",
        "receivedAt": "2031-05-04T11:59:30.000+0000",
        "smsCount": 1,
        "price": {"pricePerMessage": 0, "currency": "EUR"},
    }
    document = {"results": [message], "messageCount": 1, "pendingMessageCount": 0}
    post = Post(url=f"{URL}?t={TOKEN}", body=json.dumps(document).encode())

    assert (inbound("in-1"), None, b"") == await heard_inbound(Infobip(), post)


async def test_an_inbound_message_of_vonage_is_heard() -> None:
    """It has a text and no status ("Messages API": Inbound Message)."""
    document = {
        "channel": "sms",
        "message_uuid": "in-1",
        "to": "447900900002",
        "from": "447900900001",
        "timestamp": "2031-05-04T11:59:30Z",
        "message_type": "text",
        "text": "STOP",
        "sms": {"num_messages": "1"},
    }
    post = Post(url=f"{URL}?t={TOKEN}", body=json.dumps(document).encode())

    assert (inbound("in-1"), None, b"") == await heard_inbound(Vonage(), post)


async def test_an_inbound_message_of_kannel_is_answered_with_nothing() -> None:
    """Kannel sends the text of the answer to the person ("get-url" of an sms-service)."""
    query = "from=447900900001&to=447900900002&text=STOP&id=in-1"
    post = Post(method="GET", url=f"{URL}?t={TOKEN}&{query}")

    assert (inbound("in-1"), "text/plain", b"") == await heard_inbound(Kannel(), post)


@pytest.mark.parametrize(
    ("config", "path"),
    [
        ({"preset": "twilio", "accountSid": "AC0", "authToken": "t"}, "config.preset"),
        (
            {
                "method": "POST",
                "url": "https://sms.example.com",
                "body": {"text": "{{text}}"},
                "accepted": {"idPath": "id"},
                "receipt": {
                    "idPath": "id",
                    "statusPath": "status",
                    "statuses": {"1": "sent"},
                    "signature": {"kind": "twilio", "secret": "s"},
                },
            },
            "config.receipt.signature.kind",
        ),
    ],
)
async def test_a_signature_of_the_address_needs_the_address(
    config: Mapping[str, Any], path: str
) -> None:
    """Without --public-url no such account can be created (C-70)."""
    async with opened(public=False) as provider:
        with pytest.raises(ValidationFailedError) as refusal:
            provider.check_config(config)
    async with opened() as provider:
        assert config == provider.check_config(config)

    assert [path] == [each.field for each in refusal.value.problems]


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"callbackToken": "short"}, "config.callbackToken"),
        ({"receipt": {}}, "config.receipt"),
        ({"apiKey": None}, "config.apiKey"),
        ({"baseUrl": "https://x.api.infobip.com/sms"}, "config.baseUrl"),
        ({"baseUrl": "https://x.api.infobip.com?a=b"}, "config.baseUrl"),
        ({"baseUrl": "https://me@x.api.infobip.com"}, "config.baseUrl"),
        ({"baseUrl": "https://{{text}}.example.com"}, "config.baseUrl"),
        ({"baseUrl": "http://169.254.169.254"}, "config.baseUrl"),
    ],
)
async def test_a_preset_has_its_parameters_alone(more: dict[str, Any], path: str) -> None:
    """A wrong one is named with its own path (C-63)."""
    config = {"preset": "infobip", "baseUrl": "https://x.api.infobip.com", "apiKey": "k", **more}
    async with opened() as provider:
        with pytest.raises(ValidationFailedError) as refusal:
            provider.check_config(config)

    assert path in [each.field for each in refusal.value.problems]


async def test_a_post_of_vonage_is_good_for_the_service_clock() -> None:
    """A token that has expired by the service's clock does not pass (D-205)."""
    context = FakeContext()
    provider = HttpProvider()
    await provider.open(context)
    config = parameters(Vonage(), signatureSecret="s3cret")
    body = b'{"message_uuid":"a","status":"delivered"}'
    now = int(context.now().timestamp())
    for moment, passes in ((now + 3_600, True), (now - 3_600, False)):
        token = token_of({**claims_on(body), "iat": now, "exp": moment}, "s3cret")
        post = Post(url=URL, headers={"authorization": f"Bearer {token}"}, body=body)
        try:
            heard = len((await provider.hear(config, post)).reports)
        except UnauthorizedError:
            heard = 0
        assert passes == bool(heard)
    await provider.close()


async def test_the_token_in_the_address_is_the_one_that_is_asked_for() -> None:
    """The query that the operator is told opens the address (C-66)."""
    async with opened() as provider:
        kept = provider.check_config(
            {"preset": "infobip", "baseUrl": "https://x.api.infobip.com", "apiKey": "k"}
        )
        query = provider.callback_query(kept)
        body = b'{"results":[]}'
        assert () == (await provider.hear(kept, Post(url=f"{URL}?{query}", body=body))).reports
        with pytest.raises(UnauthorizedError):
            await provider.hear(kept, Post(url=f"{URL}?{query}x", body=body))

    assert ["t"] == [name for name, _ in parse_qsl(urlsplit(f"{URL}?{query}").query)]


@pytest.mark.parametrize("spelled", ["+919812345610", "919812345610", "+91 98123-45610"])
async def test_a_number_is_spelled_as_the_vendor_wants_it(spelled: str) -> None:
    """Twilio and Kannel get a plus and digits, Infobip and Vonage digits alone (D-208)."""
    numbers = []
    for vendor in (Twilio(), Kannel(), Infobip(), Vonage()):
        await sent(vendor, replace(MESSAGE, destination=spelled))
        (taken,) = vendor.taken
        (to,) = [taken[each] for each in ("To", "to") if each in taken] or [
            taken["destinations"][0]["to"]
        ]
        numbers.append(to)

    assert ["+919812345610", "+919812345610", "919812345610", "919812345610"] == numbers


@pytest.mark.parametrize("vendor", [Twilio(), Infobip(), Vonage(), Kannel()])
def test_a_preset_stands_for_a_config_that_anybody_could_write(vendor: Vendor) -> None:
    """Its receipts and messages pass the checks of a described API."""
    config = parameters(vendor)
    described = PRESETS[config["preset"]].expand(config)

    assert [] == [*hearing_problems(described)]
