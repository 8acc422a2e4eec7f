"""
A Google on loopback: its log-in, RCS Business Messaging as published, and the events that it posts.

Assertions are verified by google-auth. Bodies are checked against the published AgentMessage resource.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from attrs import define, field
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from google.auth import jwt

from tests.adapters.channels.rcs_business.published import agent_message_problems
from watchword.testing import FaultyHttp, HttpAnswer, HttpRequest

AGENT = "tea_house_agent"
TOKEN = "a-client-token-of-google"
EMAIL = "watchword@tea-house.iam.gserviceaccount.com"
KEY_ID = "8f2c1d"
# Nobody has RCS on a number that ends like this.
WITHOUT_RCS = "0404"
_MESSAGES = re.compile(r"/v1/phones/(\+[0-9]{6,15})/agentMessages(?:/([0-9a-f-]{36}))?")
_CAPABILITIES = re.compile(r"/v1/phones/(\+[0-9]{6,15})/capabilities")
FEATURES = ["RICHCARD_STANDALONE", "ACTION_DIAL"]


@cache
def private_key() -> rsa.RSAPrivateKey:
    """Return the key of the service account; making one takes a moment."""
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


@cache
def private_pem() -> str:
    """Return the key as Google's key file has it."""
    return (
        private_key()
        .private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        .decode()
    )


@cache
def certificate() -> str:
    """Return the certificate by which Google knows the key; google-auth verifies with certificates."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "watchword")])
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private_key().public_key())
        .serial_number(7)
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=36_500))
        .sign(private_key(), hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM).decode()


def service_account(url: str) -> dict[str, Any]:
    """Return the key file of a service account, as the console gives it; the log-in is at an address."""
    return {
        "type": "service_account",
        "project_id": "tea-house",
        "private_key_id": KEY_ID,
        "private_key": private_pem(),
        "client_email": EMAIL,
        "client_id": "1122334455",
        "auth_uri": "https://accounts.google.com/o/oauth2/auth",
        "token_uri": f"{url}/token",
        "universe_domain": "googleapis.com",
    }


def config_at(url: str) -> dict[str, Any]:
    """Return the config of a channel account whose Google is at an address."""
    return {
        "agentId": AGENT,
        "serviceAccount": service_account(url),
        "webhookToken": TOKEN,
        "baseUrl": url,
    }


def error(status: int, name: str, words: str = "no") -> HttpAnswer:
    """Return an error in the form of Google's APIs."""
    return HttpAnswer.json({"error": {"code": status, "message": words, "status": name}}, status)


@define
class Google:
    """Google's two services on one port."""

    web: FaultyHttp
    tokens: list[str] = field(factory=list)
    taken: dict[str, Any] = field(factory=dict)
    numbers: dict[str, str] = field(factory=dict)
    arrived: set[str] = field(factory=set)
    revoked: set[str] = field(factory=set)
    refused_tokens: set[str] = field(factory=set)
    log_in: HttpAnswer | None = None
    send: HttpAnswer | None = None
    lifetime: int = 3_599

    @property
    def url(self) -> str:
        """Its address."""
        return self.web.url

    def requests(self, method: str) -> list[HttpRequest]:
        """Return the requests with a method to RCS Business Messaging."""
        return [x for x in self.web.requests if x.path.startswith("/v1/") and x.method == method]

    @property
    def log_ins(self) -> int:
        """The number of log-ins that were asked for."""
        return sum(each.path == "/token" for each in self.web.requests)

    def answer(self, request: HttpRequest) -> HttpAnswer:
        """Answer a request as Google's documents say."""
        if request.path == "/token":
            return self.log_in or self._logged_in(request)
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if given not in self.tokens or given in self.refused_tokens:
            return error(401, "UNAUTHENTICATED")
        if AGENT != request.query.get("agentId"):
            return error(403, "PERMISSION_DENIED", f"no {request.query.get('agentId')}")
        if (found := _CAPABILITIES.fullmatch(request.path)) and request.method == "GET":
            return self._capabilities(found[1], request)
        found = _MESSAGES.fullmatch(request.path)
        if found and request.method == "POST" and found[2] is None:
            return self.send or self._sent(found[1], request)
        if found and request.method == "DELETE" and found[2]:
            return self._revoked(found[2], request)
        return HttpAnswer(status=404)

    def _logged_in(self, request: HttpRequest) -> HttpAnswer:
        form = request.form()
        assert "urn:ietf:params:oauth:grant-type:jwt-bearer" == form["grant_type"]
        try:
            claims = jwt.decode(
                form["assertion"], certs={KEY_ID: certificate()}, audience=f"{self.url}/token"
            )
        except ValueError as wrong:
            return HttpAnswer.json({"error": "invalid_grant", "error_description": f"{wrong}"}, 400)
        assert EMAIL == claims["iss"]
        assert "https://www.googleapis.com/auth/rcsbusinessmessaging" == claims["scope"]
        self.tokens.append(f"ya29.token-{len(self.tokens)}")
        granted = {"token_type": "Bearer", "expires_in": self.lifetime}
        return HttpAnswer.json({"access_token": self.tokens[-1], **granted})

    def _sent(self, number: str, request: HttpRequest) -> HttpAnswer:
        message_id, document = request.query["messageId"], request.json()
        assert str(uuid.UUID(message_id)) == message_id
        problems = agent_message_problems(document)
        if problems or len(request.body) > 250_000:
            return error(400, "INVALID_ARGUMENT", f"{problems}")
        if number.endswith(WITHOUT_RCS):
            return error(404, "NOT_FOUND", f"{number} has no RCS")
        if message_id not in self.taken:
            self.taken[message_id] = document
            self.numbers[message_id] = number
        return acceptance_of(request)

    def _revoked(self, message_id: str, request: HttpRequest) -> HttpAnswer:
        assert b"" == request.body
        if message_id not in self.taken or message_id in self.arrived | self.revoked:
            return error(404, "NOT_FOUND")
        self.revoked.add(message_id)
        return HttpAnswer.json({})

    def _capabilities(self, number: str, request: HttpRequest) -> HttpAnswer:
        assert uuid.UUID(request.query["requestId"]).version == 4
        if number.endswith(WITHOUT_RCS):
            return error(404, "NOT_FOUND", f"{number} has no RCS")
        return HttpAnswer.json({"features": FEATURES})


def acceptance_of(request: HttpRequest) -> HttpAnswer:
    """Return the answer to a send that is taken."""
    name = f"{request.path.removeprefix('/v1/')}/{request.query['messageId']}"
    return HttpAnswer.json({"name": name, "sendTime": "2031-05-04T12:00:00.123456Z"})


@asynccontextmanager
async def running() -> AsyncIterator[Google]:
    """Yield a Google."""
    async with FaultyHttp() as web:
        google = Google(web)
        web.says(google.answer)
        yield google


def event(kind: str, message_id: str, **more: Any) -> dict[str, Any]:
    """Return an event of a user or of the platform, by "Receive events"."""
    number = "phoneNumber" if kind.startswith("TTL") else "senderPhoneNumber"
    return {
        number: "+447700900123",
        "eventType": kind,
        "eventId": f"event-{kind}-{message_id}",
        "messageId": message_id,
        "agentId": f"{AGENT}@rbm.goog",
        "sendTime": "2031-05-04T11:59:30.123456789Z",
        **more,
    }


def posted(data: Any) -> bytes:
    """Return the body of a post with an event, or with bytes."""
    plain = data if isinstance(data, bytes) else json.dumps(data).encode()
    message = {
        "attributes": {"business_id": AGENT, "product": "RBM", "type": "event"},
        "data": base64.b64encode(plain).decode(),
        "messageId": "14150481888479752",
        "publishTime": "2031-05-04T11:59:31Z",
    }
    return json.dumps({"message": message, "subscription": "projects/p/subscriptions/s"}).encode()


def signature(body: bytes, token: str = TOKEN) -> Mapping[str, str]:
    """Return the header that signs a post, by "Verify incoming messages"."""
    data = base64.b64decode(json.loads(body)["message"]["data"])
    made = hmac.new(token.encode(), data, hashlib.sha512).digest()
    return {"x-goog-signature": base64.b64encode(made).decode()}
