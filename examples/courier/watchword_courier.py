"""A channel provider for Courier, an SMS gateway that exists in this example alone."""

import hmac
import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import aiohttp

import watchword
from watchword import Accepted, Fault, Heard, Message, Post, Rejected, Setting, SettingKind, Unknown

SIGNATURE = "x-courier-signature"
# The numbers of Courier's refusals, by the part that caused them; any other is the content.
FAULTS = {1201: Fault.RECIPIENT, 1301: Fault.ACCOUNT}
STATES = {
    "transit": watchword.ReceiptStatus.SENT,
    "delivered": watchword.ReceiptStatus.DELIVERED,
    "failed": watchword.ReceiptStatus.FAILED,
}
Answer = Accepted | Rejected | Unknown


class Courier(watchword.ChannelProvider):
    """Sends SMS through Courier's HTTP interface, and reads its signed receipts."""

    @property
    def settings(self) -> Sequence[Setting]:
        """Return what an operator has to know; a setting is secret unless it says otherwise."""
        return (
            Setting(name="url", kind=SettingKind.URL, required=True, secret=False, help="Address."),
            Setting(name="token", required=True, help="API token, from Courier's console."),
            Setting(name="signingKey", required=True, help="Key that signs Courier's posts."),
        )

    @property
    def channels(self) -> Collection[str]:
        """Serve channel accounts for SMS, and no others."""
        return (watchword.Channel.SMS,)

    async def open(self, context: watchword.Context) -> None:
        """Make a client that keeps its connections."""
        self._context = context
        self._http = aiohttp.ClientSession()

    async def close(self) -> None:
        """Close its connections."""
        await self._http.close()

    async def send(self, config: Mapping[str, Any], message: Message) -> Answer:
        """Post the message once."""
        body = {
            "to": message.destination,
            "from": message.sender,
            "text": message.text,
            "reference": message.reference,
            "callback": self._context.callback_url(message.channel_account_id),
        }
        auth = {"Authorization": f"Bearer {config['token']}"}
        url = f"{config['url']}/v1/messages"
        try:
            async with self._http.post(url, json=body, headers=auth, allow_redirects=False) as got:
                return _read(got.status, await _object_of(got))
        except aiohttp.ClientConnectorError:
            # There was no connection, so nothing was written. Any other error counts as unknown.
            return Rejected("courier_unreachable", "Courier cannot be reached.", Fault.AWAY)

    async def hear(self, config: Mapping[str, Any], post: Post) -> Heard:
        """Check the signature first, then read the receipts."""
        wanted = hmac.digest(config["signingKey"].encode(), post.body, "sha256").hex()
        signature = post.headers.get(SIGNATURE, "").encode(errors="replace")
        if not hmac.compare_digest(signature, wanted.encode()):
            raise watchword.UnauthorizedError
        events = _object(post.body).get("events")
        if not isinstance(events, list):
            raise watchword.ValidationFailedError([watchword.FieldProblem("events", "is no list")])
        found = [_report(each) for each in cast("Sequence[Any]", events)]
        reports = [each for each in found if each is not None]
        return Heard(reports=reports, unreadable=len(found) - len(reports))


def _read(status: int, answer: Mapping[str, Any]) -> Answer:
    if status == 202 and isinstance(answer.get("id"), str):
        return Accepted(answer["id"])
    if status in (401, 403):
        return Rejected("courier_token", "Courier refuses the token.", Fault.ACCOUNT)
    if status in (429, 503):
        return Rejected("courier_busy", "Courier asks to wait.", Fault.BUSY)
    if status in (400, 422) and isinstance(answer.get("error"), int):
        # The words of Courier may quote the text, so only its number is passed on.
        fault = FAULTS.get(answer["error"], Fault.CONTENT)
        return Rejected(f"courier_{answer['error']}", "Courier refuses the message.", fault)
    return Unknown()  # Courier had the message, and nobody knows what became of it.


def _report(event: Any) -> watchword.ProviderReport | None:
    try:
        code = event.get("reason") and str(event["reason"])
        at = datetime.strptime(event["at"], "%Y-%m-%dT%H:%M:%S%z")
        receipt = watchword.Receipt(status=STATES[event["state"]], error_code=code, reported_at=at)
        return watchword.ProviderReport(provider_message_id=str(event["id"]), receipt=receipt)
    except (AttributeError, LookupError, TypeError, ValueError):
        return None


async def _object_of(answer: aiohttp.ClientResponse) -> Mapping[str, Any]:
    text = b""
    async for piece in answer.content.iter_chunked(8192):
        if len(text := text + piece) > 65_536:
            return {}
    return _object(text)


def _object(text: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
        return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}
    except (ValueError, RecursionError):
        return {}
