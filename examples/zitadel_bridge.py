"""
Sends the SMS of ZITADEL by Watchword: the target of an SMS provider of the type HTTP.

`docs/how-to/zitadel.md` says how to set it up. The settings are those of `bridge_texts.py`.
"""

import hmac
import json
import re
import time

from aiohttp import web
from bridge_texts import NotSentError, Texts, application, run

SIGNATURE = "ZITADEL-Signature"
_TIME = re.compile("[0-9]{1,12}")
# As ZITADEL's own check has it.
_TOLERATED_SECONDS = 300


def bridge(texts: Texts, secret: str) -> web.Application:
    """Return the bridge; the secret is the signing key of the provider."""

    async def send(request: web.Request) -> web.Response:
        body = await request.read()
        if not _signed(secret.encode(), request.headers.get(SIGNATURE, ""), body):
            return web.json_response({"error": "not signed with our key"}, status=401)
        try:
            said = json.loads(body)
            context, text = said["contextInfo"], said["templateData"]["text"]
            number, event = context["recipientPhoneNumber"], context["eventType"]
            if not all(isinstance(each, str) for each in (number, event, text)):
                raise TypeError
        except (ValueError, LookupError, TypeError, RecursionError):
            return web.json_response(
                {"error": "contextInfo.recipientPhoneNumber, templateData.text"}, status=400
            )
        try:
            # A second try has another time of change, and the same text: every SMS of ZITADEL has a code.
            await texts.send(number, text, "zitadel", number, event, text)
        except NotSentError as refusal:
            return web.json_response({"error": refusal.message}, status=refusal.status)
        return web.json_response({"sent": True})

    return application(texts, send)


def _signed(key: bytes, header: str, body: bytes) -> bool:
    """Return whether one of the signatures in `t=…,v1=…` is ours, and new."""
    parts = [each.partition("=") for each in header.split(",")]
    sent_at = next((value for name, _, value in parts if name == "t"), "")
    if not _TIME.fullmatch(sent_at) or abs(time.time() - int(sent_at)) > _TOLERATED_SECONDS:
        return False
    expected = hmac.digest(key, f"{sent_at}.".encode() + body, "sha256").hex().encode()
    given = (value for name, _, value in parts if name == "v1")
    return any(hmac.compare_digest(expected, each.encode(errors="replace")) for each in given)


if __name__ == "__main__":
    run(bridge)
