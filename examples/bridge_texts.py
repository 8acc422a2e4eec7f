"""
Sends the texts of a bridge by Watchword: each at most once, and refused in words that users may read.

The bridges `kratos_bridge.py`, `supabase_bridge.py` and `zitadel_bridge.py` need this file beside them, and
aiohttp. Their settings are in the environment: `WATCHWORD_URL`, `WATCHWORD_API_KEY`, `SMS_SENDER`,
`BRIDGE_SECRET`, and `HOST` and `PORT` if they are not 127.0.0.1 and 8090.
"""

import hmac
import logging
import os
import re
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

import aiohttp
from aiohttp import web

_log = logging.getLogger(__name__)
# The callers wait for five seconds, and an answer in time says more than none.
_PATIENCE = aiohttp.ClientTimeout(total=4)
# A payload has a few kilobytes.
_MOST_BYTES = 64 * 1024
_CODE = re.compile("[a-z_]{1,64}")
_NOT_NOW = "Texts cannot be sent now."
_NOT_THERE = "This text cannot be sent to this number."
# Whoever has the secret sends at your expense.
_SHORTEST_SECRET = 16


class NotSentError(Exception):
    """
    A text that was not sent, or of which it is unknown.

    `status` is that of an answer about it, and `message` is ours, for the person who waits for the text.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class Texts:
    """Sends texts in the name of one account."""

    def __init__(self, url: str, api_key: str, sender: str) -> None:
        self._url = url.rstrip("/")
        self._headers = {"apikey": api_key}
        self._secret = api_key.encode()
        self._sender = sender

    async def open(self, _: web.Application) -> AsyncIterator[None]:
        """Keep connections as long as the application runs; put it into `cleanup_ctx`."""
        async with aiohttp.ClientSession(headers=self._headers, timeout=_PATIENCE) as session:
            self._session = session
            yield

    async def send(self, number: str, text: str, *same: str) -> None:
        """
        Send a text, once for all calls with the same words in `same`; raises `NotSentError`.

        `same` is what a second try repeats, such as number and text, and no id of the try (D-559). The key
        keeps for 24 hours. It may stand in logs, and `same` holds a code of a few digits, so it is a
        digest under a secret: without one, whoever reads it could try all codes.
        """
        words = "\0".join(same).encode(errors="backslashreplace")
        key = hmac.digest(self._secret, words, "sha256").hex()
        # A message and no PIN: the caller made the code, and will check it (D-560).
        sms = {"sender": self._sender, "recipient": number, "type": "SI", "messageBody": text}
        try:
            async with self._session.post(
                f"{self._url}/oapi/send_sms",
                json={"sms": [sms]},
                headers={"Idempotency-Key": key},
                allow_redirects=False,
            ) as answer:
                body: object = await answer.json()
            if not isinstance(body, dict):
                raise ValueError("The answer is no object.")
            said = cast("dict[str, Any]", body)
        except (TimeoutError, aiohttp.ClientError, ValueError) as error:
            # It may have been sent. The key makes a second try safe.
            _log.warning("No answer that can be read: %s.", type(error).__name__)
            raise NotSentError(503, _NOT_NOW) from None
        if answer.status == 200:
            _raise_if_rejected(said["data"][0])
        elif answer.status in (409, 429) or answer.status >= 500:
            # 409: the first try is not finished.
            status = 429 if answer.status == 429 else 503
            _log.warning("Status %d: %s. The text is not sent now.", answer.status, _code(said))
            raise NotSentError(status, _NOT_NOW)
        elif answer.status in (400, 422):
            # Nothing became a message: the sender, the number or the text is not what Watchword takes. Its
            # sentence names the member and quotes nothing.
            _log.warning("No text was made: %s. %s", said.get("code"), said.get("message"))
            raise NotSentError(422, _NOT_THERE)
        elif answer.status in (401, 403):
            # That is nobody's business but ours.
            _log.error("Status %d: the key of the bridge is wrong, or may not send.", answer.status)
            raise NotSentError(502, _NOT_NOW)
        else:
            _log.error("Status %d: is WATCHWORD_URL right?", answer.status)
            raise NotSentError(502, _NOT_NOW)


def _code(said: dict[str, Any]) -> str:
    """Return the code of a refusal; a proxy may answer anything, so nothing else comes into the log."""
    code = said.get("code")
    return code if isinstance(code, str) and _CODE.fullmatch(code) else "no code of Watchword"


def _raise_if_rejected(message: dict[str, Any]) -> None:
    if message["status"] == "rejected":
        # The number is none, the account's guard refuses it, or the provider does. A provider's words may
        # tell of the account and quote the number, so they stay in Watchword, under the message's id.
        code = message.get("errorCode")
        _log.warning("The text %s was rejected: %s", message["messageId"], code)
        raise NotSentError(422, _NOT_THERE)


def application(texts: Texts, answer: Callable[[web.Request], Any]) -> web.Application:
    """Return an application that answers `POST /`."""
    app = web.Application(client_max_size=_MOST_BYTES)
    app.cleanup_ctx.append(texts.open)
    app.router.add_post("/", answer)
    return app


def run(make: Callable[[Texts, str], web.Application]) -> None:
    """Serve a bridge with the settings of the environment until it is stopped."""
    secret = os.environ["BRIDGE_SECRET"]
    if len(secret) < _SHORTEST_SECRET:
        raise SystemExit(f"BRIDGE_SECRET has fewer than {_SHORTEST_SECRET} characters.")
    texts = Texts(
        os.environ["WATCHWORD_URL"], os.environ["WATCHWORD_API_KEY"], os.environ["SMS_SENDER"]
    )
    web.run_app(
        make(texts, secret),
        host=os.environ.get("HOST", "127.0.0.1"),
        port=int(os.environ.get("PORT", "8090")),
    )
