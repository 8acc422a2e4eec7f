"""The contract of channel providers, for each preset and for a config that describes an API (C-72)."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

import pytest
from aiohttp import web
from attrs import evolve
from msgspec.structs import replace
from twilio.request_validator import (  # type: ignore[import-untyped]  # the library has no types
    RequestValidator,
)

from tests.adapters.channels.http.test_signatures import claims_on, token_of
from tests.adapters.channels.http.vendors import (
    UNKNOWN,
    Infobip,
    Kannel,
    Twilio,
    Vendor,
    Vonage,
    running,
)
from watchword.adapters.channels.http.provider import HttpProvider
from watchword.application.ports.channels import ChannelProvider, Message, Post
from watchword.domain.channel import Channel
from watchword.domain.receipt import ReceiptStatus
from watchword.testing import SignedReportsContract

URL = "https://pins.example.com/callbacks/cha_orchid"
TOKEN = "a-token-of-at-least-sixteen"
AWAY = "http://127.0.0.1:9"
JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


class PresetContract(SignedReportsContract):
    """A preset, and a counterpart that answers as its vendor."""

    vendor_class: ClassVar[type[Vendor]]
    # The server's log has whole addresses, and Kannel's have the text.
    counterpart_loggers: ClassVar[Collection[str]] = ("aiohttp.access",)

    @pytest.fixture
    async def vendor(self) -> AsyncIterator[Vendor]:
        """Yield the vendor's server."""
        async with running(self.vendor_class()) as vendor:
            yield vendor

    @pytest.fixture
    def provider(self, vendor: Vendor) -> ChannelProvider:
        """Return the provider."""
        self._vendor = vendor
        return HttpProvider()

    @pytest.fixture
    def config(self, vendor: Vendor) -> Mapping[str, Any]:
        """Return the preset's parameters."""
        return self.parameters(vendor.url)

    def parameters(self, url: str) -> Mapping[str, Any]:
        """Return the preset's parameters for an address."""
        raise NotImplementedError

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message to a number that nobody has."""
        return replace(self.message(Channel.SMS), destination=f"+{UNKNOWN}")

    @pytest.fixture
    def unreachable(self) -> Mapping[str, Any]:
        """Return the config of a server that is away."""
        return self.parameters(AWAY)

    def taken(self, provider: Any) -> int:
        """Return how many messages the vendor accepted."""
        return len(self._vendor.taken)


class WithToken:
    """A vendor whose calls have a token in their address, which covers no body."""

    signature_covers_body = False

    def signed(self, config: Mapping[str, Any], post: Post) -> Post:
        """Add the token."""
        token = config.get("callbackToken") or config["receipt"]["signature"]["secret"]
        joint = "&" if "?" in post.url else "?"
        return evolve(post, url=f"{post.url}{joint}t={quote(token)}")


class TestTwilio(PresetContract):
    """Twilio signs forms with its auth token."""

    vendor_class = Twilio
    signature_covers_url = True
    failed_code = "30003"
    # Every text is a form; these have no members that anybody knows.
    unreadable_bodies: ClassVar[Sequence[bytes]] = (b"", b"{", b"[" * 100_000)
    words: ClassVar[Mapping[ReceiptStatus, str]] = {
        ReceiptStatus.SENT: "sent",
        ReceiptStatus.DELIVERED: "delivered",
        ReceiptStatus.READ: "read",
        ReceiptStatus.FAILED: "undelivered",
    }

    def parameters(self, url: str) -> Mapping[str, Any]:
        """Return an account's parameters."""
        return {
            "preset": "twilio",
            "accountSid": "AC0",
            "authToken": Twilio.token,
            "baseUrl": url,
        }

    def posted(self, status: str, provider_message_id: str, error_code: str | None) -> Post:
        """Return a status callback, by "Outbound Message Status in Status Callbacks"."""
        members = {
            "SmsSid": provider_message_id,
            "SmsStatus": status,
            "MessageStatus": status,
            "To": "+919812345610",
            "MessageSid": provider_message_id,
            "AccountSid": "AC0",
            "From": "Orchid",
            "ApiVersion": "2010-04-01",
            **({"ErrorCode": error_code} if error_code else {}),
        }
        return Post(url=URL, headers=FORM, body=urlencode(members).encode())

    def post(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None = None
    ) -> Post:
        """Return a receipt."""
        return self.posted(self.words[status], provider_message_id, error_code)

    def with_unknown_status(self) -> Post:
        """Return a status that comes before `sent`."""
        return self.posted("queued", "their-7", None)

    def signed(self, config: Mapping[str, Any], post: Post) -> Post:
        """Sign the address and the form with Twilio's library."""
        members = dict(parse_qsl(post.body.decode(), keep_blank_values=True))
        signature = RequestValidator(config["authToken"]).compute_signature(post.url, members)
        return evolve(post, headers={**post.headers, "x-twilio-signature": signature})


class TestInfobip(WithToken, PresetContract):
    """Infobip's calls have a token."""

    vendor_class = Infobip
    statuses: ClassVar[Collection[ReceiptStatus]] = (ReceiptStatus.DELIVERED, ReceiptStatus.FAILED)
    failed_code = "27"
    groups: ClassVar[Mapping[ReceiptStatus, int]] = {
        ReceiptStatus.DELIVERED: 3,
        ReceiptStatus.FAILED: 2,
    }

    def parameters(self, url: str) -> Mapping[str, Any]:
        """Return an account's parameters."""
        return {
            "preset": "infobip",
            "baseUrl": url,
            "apiKey": Infobip.key,
            "callbackToken": TOKEN,
        }

    def posted(self, group: int, provider_message_id: str, error_code: str | None) -> Post:
        """Return a report, by "Receive outbound SMS message reports" (SmsDeliveryResult)."""
        report = {
            "bulkId": "b",
            "messageId": provider_message_id,
            "to": "919812345610",
            "sentAt": "2031-05-04T11:59:00.000+0000",
            "doneAt": "2031-05-04T11:59:30.000+0000",
            "messageCount": 1,
            "price": {"pricePerMessage": 0.01, "currency": "EUR"},
            "status": {"groupId": group, "groupName": "", "id": 5, "name": ""},
            "error": {"groupId": 0, "id": int(error_code or 0), "name": "", "permanent": False},
        }
        return Post(url=URL, headers=JSON, body=json.dumps({"results": [report]}).encode())

    def post(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None = None
    ) -> Post:
        """Return a receipt."""
        return self.posted(self.groups[status], provider_message_id, error_code)

    def with_unknown_status(self) -> Post:
        """Return the report of a message that is pending."""
        return self.posted(1, "their-7", None)


class VonagePosts:
    """What Vonage posts."""

    failed_code: ClassVar[str | None] = "1170"
    words: ClassVar[Mapping[ReceiptStatus, str]] = {
        ReceiptStatus.SENT: "submitted",
        ReceiptStatus.DELIVERED: "delivered",
        ReceiptStatus.READ: "read",
        ReceiptStatus.FAILED: "rejected",
    }

    def posted(self, status: str, provider_message_id: str, error_code: str | None) -> Post:
        """Return a status, by "Messages API Status Callbacks"."""
        document: dict[str, Any] = {
            "message_uuid": provider_message_id,
            "to": "919812345610",
            "from": "Orchid",
            "timestamp": "2031-05-04T11:59:30Z",
            "status": status,
            "channel": "sms",
            "usage": {"currency": "EUR", "price": "0.0333"},
            "sms": {"count_total": "1"},
        }
        if error_code:
            address = f"https://developer.vonage.com/api-errors/messages#{error_code}"
            document["error"] = {"type": address, "title": int(error_code), "detail": "Invalid"}
        return Post(url=URL, headers=JSON, body=json.dumps(document).encode())

    def post(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None = None
    ) -> Post:
        """Return a receipt."""
        return self.posted(self.words[status], provider_message_id, error_code)

    def with_unknown_status(self) -> Post:
        """Return a status that nobody knows."""
        return self.posted("pondered", "their-7", None)


class TestVonage(VonagePosts, PresetContract):
    """Vonage signs bodies with its signature secret."""

    vendor_class = Vonage

    def parameters(self, url: str) -> Mapping[str, Any]:
        """Return an account's parameters."""
        return {
            "preset": "vonage",
            "apiKey": "k0",
            "apiSecret": Vonage.secret,
            "signatureSecret": "vonage-signature-secret",
            "baseUrl": url,
        }

    def signed(self, config: Mapping[str, Any], post: Post) -> Post:
        """Sign the body."""
        token = token_of(claims_on(post.body) | {"iat": 1}, config["signatureSecret"])
        return evolve(post, headers={**post.headers, "authorization": f"Bearer {token}"})


class TestVonageWithoutSignatureSecret(WithToken, VonagePosts, PresetContract):
    """Without the signature secret, Vonage's calls have a token."""

    vendor_class = Vonage

    def parameters(self, url: str) -> Mapping[str, Any]:
        """Return an account's parameters."""
        return {
            "preset": "vonage",
            "apiKey": "k0",
            "apiSecret": Vonage.secret,
            "baseUrl": url,
            "callbackToken": TOKEN,
        }


class TestKannel(WithToken, PresetContract):
    """Kannel calls an address that we give with each message."""

    vendor_class = Kannel
    statuses: ClassVar[Collection[ReceiptStatus]] = (
        ReceiptStatus.SENT,
        ReceiptStatus.DELIVERED,
        ReceiptStatus.FAILED,
    )
    failed_code = None
    unreadable_bodies: ClassVar[Sequence[bytes]] = ()
    words: ClassVar[Mapping[ReceiptStatus, str]] = {
        ReceiptStatus.SENT: "8",
        ReceiptStatus.DELIVERED: "1",
        ReceiptStatus.FAILED: "2",
    }

    def parameters(self, url: str) -> Mapping[str, Any]:
        """Return the parameters of a sendsms-user."""
        return {
            "preset": "kannel",
            "url": f"{url}/cgi-bin/sendsms",
            "username": "pins",
            "password": Kannel.password,
            "callbackToken": TOKEN,
        }

    def post(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None = None
    ) -> Post:
        """Return a report, with Kannel's escapes replaced."""
        return self.posted(self.words[status], provider_message_id)

    def posted(self, status: str, provider_message_id: str) -> Post:
        """Return the call for a status."""
        query = urlencode({"reference": provider_message_id, "status": status, "at": "1935658800"})
        return Post(method="GET", url=f"{URL}?{query}")

    def with_unknown_status(self) -> Post:
        """Return the report of a message that is queued."""
        return self.posted("4", "their-7")


class Teahouse(Vendor):
    """An API that no preset knows: JSON over Bearer, receipts in a list."""

    def answered(self, request: web.BaseRequest, body: bytes) -> web.Response:
        """Take a message, or say why not."""
        document = json.loads(body)
        if document["number"] == f"+{UNKNOWN}":
            words = {"error": {"code": "NoSuchNumber", "words": "Nobody has this number."}}
            return web.json_response(words, status=422)
        self.taken.append(document)
        return web.json_response({"data": [{"ref": self.new_id()}]}, status=202)


class TestDescribedApi(PresetContract):
    """A config that describes an API, whose posts have an HMAC."""

    vendor_class = Teahouse

    def parameters(self, url: str) -> Mapping[str, Any]:
        """Return a config with most members of C-63."""
        return {
            "method": "POST",
            "url": f"{url}/cups/{{{{reference}}}}",
            "query": {"notify": "{{callback_url}}"},
            "headers": {"X-Shop": "orchid"},
            "auth": {"bearer": "teahouse-bearer"},
            "body": {"number": "{{destination}}", "words": "{{text}}", "from": "{{sender}}"},
            "accepted": {"status": [202], "idPath": "data.0.ref"},
            "rejected": {
                "codePath": "/error/code",
                "messagePath": "/error/words",
                "faults": {"NoSuchNumber": "recipient"},
            },
            "receipt": {
                "itemsPath": "receipts",
                "idPath": "ref",
                "statusPath": "state",
                "statuses": {each.name: each.value for each in ReceiptStatus},
                "codePath": "why",
                "atPath": "at",
                "answer": {"contentType": "text/plain", "body": "OK"},
                "signature": {
                    "kind": "hmac",
                    "header": "X-Tea",
                    "algorithm": "sha512",
                    "secret": "teahouse-hmac",
                },
            },
            "inbound": {"senderPath": "from", "recipientPath": "to", "textPath": "words"},
        }

    def posted(self, status: str, provider_message_id: str, error_code: str | None) -> Post:
        """Return a receipt."""
        receipt = {"ref": provider_message_id, "state": status, "why": error_code, "at": 1935658800}
        return Post(url=URL, headers=JSON, body=json.dumps({"receipts": [receipt]}).encode())

    def post(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None = None
    ) -> Post:
        """Return a receipt."""
        return self.posted(status.name, provider_message_id, error_code)

    def with_unknown_status(self) -> Post:
        """Return a status that the config does not name."""
        return self.posted("STEEPING", "their-7", None)

    def headers(self, config: Mapping[str, Any], body: bytes) -> Mapping[str, str]:
        """Sign a body."""
        secret = config["receipt"]["signature"]["secret"]
        return {"x-tea": hmac.new(secret.encode(), body, hashlib.sha512).hexdigest()}


@pytest.mark.parametrize(
    ("config", "path"),
    [
        ({"preset": "infobip", "baseUrl": AWAY, "apiKey": "k"}, None),
        ({"preset": "kannel", "url": AWAY, "username": "u", "password": "p"}, None),
        ({"preset": "vonage", "apiKey": "k", "apiSecret": "s"}, None),
        ({"preset": "vonage", "apiKey": "k", "apiSecret": "s", "signatureSecret": "x"}, ""),
    ],
)
async def test_a_preset_without_a_signature_gets_a_token(
    config: Mapping[str, Any], path: str | None
) -> None:
    """It is made once, and it stands in the address that the provider is told (D-206)."""
    provider = HttpProvider()
    kept = provider.check_config(config)
    query = provider.callback_query(kept)

    assert kept == provider.check_config(kept)
    assert (path == "") == (query == "")
    assert kept.get("callbackToken") == parse_qs(query).get("t", [None])[0]
