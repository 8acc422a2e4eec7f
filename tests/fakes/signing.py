"""A third-party provider that signs its posts, revokes messages, and receives inbound ones."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from watchword.application.ports.channels import (
    Accepted,
    ChannelProvider,
    InboundMessage,
    Message,
    ProviderReport,
    Rejected,
    Report,
    SentMessage,
    Setting,
)
from watchword.domain.accounts.api_key import UnauthorizedError
from watchword.domain.channel import ChannelName
from watchword.domain.errors import FieldProblem, ValidationFailedError
from watchword.domain.fallback_run import RevokeOutcome
from watchword.domain.receipt import Receipt, ReceiptStatus

SECRET = "tell only the tea house"
SIGNATURE = "x-courier-signature"
_NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
_WORDS = {
    "on its way": ReceiptStatus.SENT,
    "handed over": ReceiptStatus.DELIVERED,
    "opened": ReceiptStatus.READ,
    "returned": ReceiptStatus.FAILED,
}
_SAYS = {status: words for words, status in _WORDS.items()}


class SigningProvider(ChannelProvider):
    """A courier: knows references, takes parcels back on the way, and posts signed letters."""

    def __init__(self) -> None:
        self.taken: dict[str, Message] = {}
        self.handed_over: set[str] = set()

    @property
    def deduplicates(self) -> bool:
        """The courier looks at the reference."""
        return True

    @property
    def settings(self) -> Sequence[Setting]:
        """The courier's one setting is secret."""
        return (Setting(name="secret", required=True, help="The word that signs letters."),)

    async def send(self, config: Mapping[str, Any], message: Message) -> Accepted | Rejected:
        """Accept every message, except one to a number that does not exist."""
        if message.destination == "nobody":
            return Rejected("no_such_person", "Nobody lives there.")
        known = f"courier-{message.reference}"
        self.taken.setdefault(known, message)
        return Accepted(known)

    def can_revoke(self, channel: ChannelName) -> bool:
        """Every message that is on its way can be revoked."""
        return True

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, sent: SentMessage
    ) -> RevokeOutcome:
        """Call a message back."""
        handed_over = sent.provider_message_id in self.handed_over
        return RevokeOutcome.DELIVERED if handed_over else RevokeOutcome.REVOKED

    def reports(
        self, config: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> Sequence[Report]:
        """Read a letter."""
        given = headers.get(SIGNATURE, "").encode(errors="replace")
        if not hmac.compare_digest(given, signature(body, config["secret"]).encode()):
            raise UnauthorizedError
        try:
            return [told(each) for each in json.loads(body)["news"]]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise ValidationFailedError([FieldProblem("body", "is no letter")]) from None


def signature(body: bytes, secret: str = SECRET) -> str:
    """Sign a letter."""
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def letter(*news: Mapping[str, Any]) -> bytes:
    """Write a letter with several news."""
    return json.dumps({"news": news}).encode()


def receipt(
    provider_message_id: str, status: ReceiptStatus, error_code: str | None = None
) -> dict[str, Any]:
    """Post a receipt of a message."""
    return {"parcel": provider_message_id, "is": _SAYS[status], "because": error_code}


def inbound(provider_message_id: str, sender: str, recipient: str, text: str) -> dict[str, Any]:
    """Post an inbound message."""
    return {"note": provider_message_id, "by": sender, "for": recipient, "says": text}


def told(news: Mapping[str, Any]) -> ProviderReport | InboundMessage:
    """Read one of a letter's news."""
    if "note" in news:
        return InboundMessage(
            provider_message_id=news["note"],
            sender=news["by"],
            recipient=news["for"],
            text=news["says"],
        )
    at = datetime.fromisoformat(news["at"]) if "at" in news else _NOON
    said = Receipt(status=_WORDS[news["is"]], error_code=news["because"], reported_at=at)
    return ProviderReport(provider_message_id=news["parcel"], receipt=said)
