"""
Sends the SMS of Ory Kratos by Watchword: the target of its courier's HTTP channel.

`docs/how-to/kratos.md` says how to set it up. The settings are those of `bridge_texts.py`.
"""

import hmac
import json
import uuid

from aiohttp import web
from bridge_texts import NotSentError, Texts, application, run

# The texts of these templates have a code, so that two equal texts are one text that was sent twice.
_WITH_A_CODE = "_code_valid"


def bridge(texts: Texts, secret: str) -> web.Application:
    """Return the bridge; Kratos shows the secret as a bearer token."""
    expected = f"Bearer {secret}".encode()

    async def send(request: web.Request) -> web.Response:
        given = request.headers.get("Authorization", "").encode(errors="replace")
        if not hmac.compare_digest(expected, given):
            return web.json_response({"error": "not our secret"}, status=401)
        try:
            said = json.loads(await request.read())
            number, text, kind = said["recipient"], said["body"], said["template_type"]
            if not all(isinstance(each, str) for each in (number, text, kind)):
                raise TypeError
        except (ValueError, LookupError, TypeError, RecursionError):
            return web.json_response({"error": "recipient, body, template_type"}, status=400)
        # Kratos repeats a text until it hears 2xx, and sends no id with it.
        once = text if kind.endswith(_WITH_A_CODE) else str(uuid.uuid4())
        try:
            await texts.send(number, text, "kratos", number, kind, once)
        except NotSentError as refusal:
            # Kratos logs it, tries again later, and gives up after `message_retries`.
            return web.json_response({"error": refusal.message}, status=refusal.status)
        return web.json_response({"sent": True})

    return application(texts, send)


if __name__ == "__main__":
    run(bridge)
