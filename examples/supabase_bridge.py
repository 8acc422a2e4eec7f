"""
Sends the codes of Supabase Auth by Watchword: the target of its hook "Send SMS".

`docs/how-to/supabase.md` says how to set it up. The settings are those of `bridge_texts.py`, and `SMS_TEXT`.
"""

import base64
import binascii
import hashlib
import hmac
import json
import os
import re
import time
from typing import Any

from aiohttp import web
from bridge_texts import NotSentError, Texts, application, run

TEXT = "Your code is {otp}. Share it with nobody."
_TIME = re.compile("[0-9]{1,12}")
# An older call may be a replay.
_TOLERATED_SECONDS = 5 * 60
# In bytes, as Standard Webhooks has it.
_SHORTEST_KEY = 24


def bridge(texts: Texts, secret: str, text: str = TEXT) -> web.Application:
    """Return the bridge; the secret is `v1,whsec_…`, as Supabase shows it; raise `ValueError` for another."""
    key = base64.b64decode(secret.removeprefix("v1,").removeprefix("whsec_"), validate=True)
    if len(key) < _SHORTEST_KEY:
        raise ValueError(f"The secret has fewer than {_SHORTEST_KEY} bytes.")

    async def send(request: web.Request) -> web.Response:
        body = await request.read()
        if not _signed(key, request, body):
            return web.json_response({"error": "not signed with our secret"}, status=401)
        try:
            said = json.loads(body)
            number, code = _number(said), said["sms"]["otp"]
            if not isinstance(code, str):
                raise TypeError
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return web.json_response({"error": "user.phone, sms.otp"}, status=400)
        try:
            # A second try has another webhook-id and the same body, byte for byte.
            await texts.send(
                number, text.replace("{otp}", code), "supabase", hashlib.sha256(body).hexdigest()
            )
        except NotSentError as refusal:
            return _refused(refusal)
        return web.json_response({})

    return application(texts, send)


def _signed(key: bytes, request: web.Request, body: bytes) -> bool:
    """Return whether one of the Standard Webhooks signatures is ours, and new."""
    call, sent_at = (request.headers.get(f"webhook-{each}", "") for each in ("id", "timestamp"))
    if not _TIME.fullmatch(sent_at) or abs(time.time() - int(sent_at)) > _TOLERATED_SECONDS:
        return False
    signed = f"{call}.{sent_at}.".encode(errors="replace") + body
    expected = hmac.digest(key, signed, "sha256")
    # While a secret is replaced there are two, which Supabase separates by a comma and a blank.
    given = request.headers.get("webhook-signature", "").replace(", ", " ").split(" ")
    return any(_is(expected, each) for each in given)


def _is(expected: bytes, given: str) -> bool:
    version, _, signature = given.partition(",")
    try:
        return version == "v1" and hmac.compare_digest(
            expected, base64.b64decode(signature, validate=True)
        )
    except (binascii.Error, ValueError):
        return False


def _number(said: Any) -> str:
    """Return the number to write to: Supabase leaves its `+` out, and a change has a new one."""
    sms, user = said["sms"], said["user"]
    changed = user.get("new_phone") if sms.get("sms_type") == "phone_change" else None
    number = sms.get("phone") or changed or user["phone"]
    return f"+{number.removeprefix('+')}"


def _refused(refusal: NotSentError) -> web.Response:
    if refusal.status == 503:
        # With this header Supabase tries again at once, up to three times within five seconds.
        return web.json_response({}, status=503, headers={"Retry-After": "true"})
    # Supabase shows its user the message of an answer with 200.
    return web.json_response(
        {"error": {"http_code": refusal.status, "message": refusal.message}}, status=200
    )


if __name__ == "__main__":
    run(lambda texts, secret: bridge(texts, secret, os.environ.get("SMS_TEXT", TEXT)))
