"""
Counterparts of the presets: servers on loopback that check requests and answer as these vendors publish.

The names and types below were read in the documents that stand beside them, in November 2026; a request
with another name or type is refused.
"""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import web
from attrs import define, field

# The vendors' own numbers for tests, or numbers that no network has.
UNKNOWN, UNSUBSCRIBED, LIMITED = "15005550001", "15005550004", "15005550029"

# Twilio, "Messages resource": Create a Message.
TWILIO_FIELDS = dict.fromkeys(
    ("To", "From", "MessagingServiceSid", "Body", "StatusCallback", "ValidityPeriod"), str
)
# Infobip, "Send SMS messages" (POST /sms/3/messages): SmsRequest.
INFOBIP_FIELDS = {
    "messages": [
        {
            "sender": str,
            "destinations": [{"to": str}],
            "content": {"text": str},
            "options": {
                "validityPeriod": {"amount": int, "timeUnit": str},
                "regional": {"indiaDlt": {"contentTemplateId": str, "principalEntityId": str}},
            },
            "webhooks": {"delivery": {"url": str}, "callbackData": str},
        }
    ]
}
# Vonage, "Messages API" 1.x: Text message over SMS.
VONAGE_FIELDS = {
    "channel": str,
    "message_type": str,
    "to": str,
    "from": str,
    "text": str,
    "ttl": int,
    "client_ref": str,
    "webhook_url": str,
    "webhook_version": str,
    "sms": {"entity_id": str, "content_id": str},
}
# Kannel, "User's Guide": SMS Push (sendsms) CGI variables.
KANNEL_FIELDS = dict.fromkeys(
    (
        *("username", "password", "from", "to", "text", "charset", "coding", "validity"),
        *("dlr-mask", "dlr-url", "meta-data"),
    ),
    str,
)


def strays(document: Any, published: Any, place: str = "") -> list[str]:
    """Return the paths of members that are not published, or have another type."""
    if isinstance(published, dict):
        if not isinstance(document, dict):
            return [place]
        return [
            path
            for name, value in document.items()
            for path in (
                strays(value, published[name], f"{place}.{name}")
                if name in published
                else [f"{place}.{name}"]
            )
        ]
    if isinstance(published, list):
        if not isinstance(document, list):
            return [place]
        return [path for each in document for path in strays(each, published[0], f"{place}[]")]
    return [] if type(document) is published else [place]


@define
class Vendor:
    """A vendor; `taken` has the messages that it accepted, as it decoded them."""

    url: str = "https://vendor.example.com"
    taken: list[dict[str, Any]] = field(factory=list)
    paths: list[str] = field(factory=list)
    issued: list[str] = field(factory=list)
    _numbers: Any = field(factory=count)

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a request."""
        self.paths.append(f"{request.method} {request.path}")
        return self.answered(request, await request.read())

    def answered(self, request: web.BaseRequest, body: bytes) -> web.Response:
        """Return the vendor's answer."""
        raise NotImplementedError

    def new_id(self, prefix: str = "") -> str:
        """Return an id that no message has, and keep it."""
        self.issued.append(f"{prefix}{next(self._numbers) + 1:032x}")
        return self.issued[-1]


def _basic(request: web.BaseRequest) -> str:
    scheme, _, coded = request.headers.get("Authorization", "").partition(" ")
    return base64.b64decode(coded).decode() if scheme == "Basic" else ""


class Twilio(Vendor):
    """Twilio, with the account AC0 and the token in `token`."""

    token = "twilio-auth-token"

    def answered(self, request: web.BaseRequest, body: bytes) -> web.Response:
        """Create a message, or say what is wrong with it."""
        if request.path != "/2010-04-01/Accounts/AC0/Messages.json":
            return self._refusal(404, 20404, "The requested resource was not found")
        if _basic(request) != f"AC0:{self.token}":
            return self._refusal(401, 20003, "Authenticate")
        form = dict(parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True))
        number = form["To"].removeprefix("+")
        if strays(form, TWILIO_FIELDS) or not form["To"].startswith("+"):
            return self._refusal(400, 20001, "Unknown parameters")
        if not 1 <= int(form.get("ValidityPeriod", 1)) <= 36_000:
            return self._refusal(400, 30034, "ValidityPeriod is out of range")
        if number == UNKNOWN or not number:
            return self._refusal(400, 21211, f"Invalid 'To' Phone Number: {form['To']}")
        if number == UNSUBSCRIBED:
            return self._refusal(400, 21610, "Attempt to send to unsubscribed recipient")
        if number == LIMITED:
            return self._refusal(429, 20429, "Too Many Requests", {"Retry-After": "3"})
        if "From" not in form and "MessagingServiceSid" not in form:
            return self._refusal(400, 21603, "A 'From' phone number is required.")
        self.taken.append(form)
        return web.json_response(
            {
                "sid": self.new_id("SM"),
                "status": "queued",
                "num_segments": "2",
                "price": "-0.00750",
                "price_unit": "USD",
                "error_code": None,
            },
            status=201,
        )

    def _refusal(
        self, status: int, code: int, message: str, headers: Mapping[str, str] | None = None
    ) -> web.Response:
        document = {"code": code, "message": message, "more_info": "", "status": status}
        return web.json_response(document, status=status, headers=headers)


class Infobip(Vendor):
    """Infobip, with the API key in `key`."""

    key = "infobip-api-key"

    def answered(self, request: web.BaseRequest, body: bytes) -> web.Response:
        """Take messages, or say what is wrong with them."""
        if request.headers.get("Authorization") != f"App {self.key}":
            return self._refusal(401, "E401", "Unauthorized")
        if request.path != "/sms/3/messages":
            return self._refusal(404, "E404", "Not found")
        document = json.loads(body)
        found = strays(document, INFOBIP_FIELDS)
        (message,) = document["messages"]
        number = message["destinations"][0].get("to", "")
        if found or number.startswith("+"):
            return self._refusal(400, "E400", f"Request cannot be processed: {found}")
        if number == LIMITED:
            return self._refusal(429, "E429", "Too many requests")
        if number == UNKNOWN:
            return self._status(5, "REJECTED", 52, "REJECTED_DESTINATION", number)
        self.taken.append(message)
        return self._status(1, "PENDING", 26, "PENDING_ACCEPTED", number)

    def _status(self, group: int, group_name: str, code: int, name: str, to: str) -> web.Response:
        status = {
            "groupId": group,
            "groupName": group_name,
            "id": code,
            "name": name,
            "description": f"The status is {name}",
        }
        details = {"messageCount": 2}
        message = {"messageId": self.new_id(), "status": status, "destination": to}
        return web.json_response({"bulkId": "b", "messages": [{**message, "details": details}]})

    def _refusal(self, status: int, code: str, description: str) -> web.Response:
        document = {
            "errorCode": code,
            "description": description,
            "action": "",
            "violations": [],
            "resources": [],
        }
        return web.json_response(document, status=status)


class Vonage(Vendor):
    """Vonage, with the key `k0` and the secret in `secret`."""

    secret = "vonage-api-secret"

    def answered(self, request: web.BaseRequest, body: bytes) -> web.Response:
        """Take a message, or say what is wrong with it."""
        if _basic(request) != f"k0:{self.secret}":
            return self._refusal(401, "#unauthorized", "You did not provide correct credentials.")
        document = json.loads(body)
        if request.path != "/v1/messages" or strays(document, VONAGE_FIELDS):
            return self._refusal(422, "/messages#1020", f"{strays(document, VONAGE_FIELDS)}")
        if (document["channel"], document["message_type"]) != ("sms", "text"):
            return self._refusal(422, "/messages#1020", "Invalid params")
        if "+" in document["to"] + document["from"] or not 20 <= document.get("ttl", 20):
            return self._refusal(422, "/messages#1130", "Invalid params")
        if document["to"] == UNKNOWN:
            return self._refusal(422, "/messages#1170", "Invalid or Missing Msisdn Param")
        if document["to"] == LIMITED:
            return self._refusal(429, "/messages#1000", "Throttled")
        self.taken.append(document)
        return web.json_response({"message_uuid": self.new_id()}, status=202)

    def _refusal(self, status: int, problem: str, detail: str) -> web.Response:
        document = {
            "type": f"https://developer.vonage.com/api-errors{problem}",
            "title": "Error",
            "detail": detail,
            "instance": "bf0ca0bf927b3b52e3cb03217e1a1ddf",
        }
        headers = {"Content-Type": "application/problem+json"}
        return web.Response(status=status, body=json.dumps(document).encode(), headers=headers)


class Kannel(Vendor):
    """Kannel's smsbox, with the user `pins` and the password in `password`."""

    password = "kannel-password"

    def answered(self, request: web.BaseRequest, body: bytes) -> web.Response:
        """Queue a message, or say what is wrong with it."""
        query = dict(request.query)
        if (query.get("username"), query.get("password")) != ("pins", self.password):
            return web.Response(status=403, text="Authorization failed for sendsms")
        if request.path != "/cgi-bin/sendsms" or request.method != "GET":
            return web.Response(status=404, text="Unknown request.")
        if strays(query, KANNEL_FIELDS) or body:
            return web.Response(status=400, text="Unknown parameters")
        if query["to"].removeprefix("+") == UNKNOWN:
            return web.Response(status=400, text="Missing receiver number, rejected")
        if query["to"].removeprefix("+") == LIMITED:
            return web.Response(status=503, text="Temporal failure, try again later.")
        self.taken.append(query)
        return web.Response(status=202, text="0: Accepted for delivery")


@asynccontextmanager
async def running(vendor: Vendor) -> AsyncIterator[Vendor]:
    """Run a vendor's server."""
    server = web.Server(vendor.answer)
    runner = web.ServerRunner(server)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    vendor.url = f"http://127.0.0.1:{port}"
    try:
        yield vendor
    finally:
        await runner.cleanup()
