"""The sandbox provider: its outbox is the recipient's phone, destinations choose outcomes (C-40)."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from ...application.ports.channels import (
    Accepted,
    ChannelProvider,
    Heard,
    Message,
    Post,
    ProviderReport,
    Rejected,
    Report,
    SentMessage,
    Setting,
    SettingKind,
    TemplateReview,
    Webhook,
    checked_config,
)
from ...domain.channel import Channel, ChannelName
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.fallback_run import RevokeOutcome
from ...domain.receipt import Receipt, ReceiptStatus
from .sandbox_mirrors import Mirrors, mirror_address
from .sandbox_outbox import Outbox, SandboxMessage, WrittenMessage
from .sandbox_posts import posted, queried
from .sandbox_receipts import PendingReceipts

OUTCOMES = ("accepted", "rejected", "failed", "delivered", "timeout")
_SETTINGS = (
    Setting(
        name="outcome",
        kind=SettingKind.CHOICE,
        secret=False,
        choices=OUTCOMES,
        help="What becomes of every message; without it, the destination's ending decides.",
    ),
    Setting(
        name="mirror",
        secret=False,
        help="udp://127.0.0.1:<port>, which gets each message as a datagram.",
    ),
)
# The outcome for the last four digits of a destination; any other ending is accepted.
_BY_ENDING = {
    "0001": "rejected",
    "0002": "failed",
    "0003": "accepted",
    "0004": "timeout",
    "0005": "delivered",
}
# The receipt that the sandbox sends by itself after it accepted: a status and an error code.
_AFTERWARDS: Mapping[str, tuple[ReceiptStatus, str | None]] = {
    "failed": (ReceiptStatus.FAILED, "sandbox_failed"),
    "delivered": (ReceiptStatus.DELIVERED, None),
}
_OWN_ID = re.compile(r"sandbox_[0-9a-f]{24}_(.+)")

# Records a receipt; the first argument is the channel account.
Track = Callable[[str, ProviderReport], Awaitable[None]]


class SandboxProvider(ChannelProvider):
    """
    Puts messages into an outbox in memory, which keeps the newest 10,000 of this process.

    A channel account's `outcome` decides for all its messages; without one, the destination's ending
    decides. An id is made of channel account and reference, so a repeated message has the same id, also
    after a restart (D-53). `mirror` also sends each message as one datagram to a loopback port.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._outbox = Outbox()
        self._pending = PendingReceipts()
        self._mirrors = Mirrors()
        self._track: Track | None = None

    @property
    def deduplicates(self) -> bool:
        """Always true: a repeated reference means the same message (D-53)."""
        return True

    @property
    def settings(self) -> Sequence[Setting]:
        """`outcome` and `mirror`; neither is secret (C-63)."""
        return _SETTINGS

    @property
    def channels(self) -> Collection[ChannelName]:
        """All four: the sandbox stands in for every provider."""
        return tuple(Channel)

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check `{outcome?, mirror?}` (C-63)."""
        problems: list[FieldProblem] = []
        try:
            checked_config(_SETTINGS, config)
        except ValidationFailedError as refusal:
            problems += refusal.problems
        if isinstance(config.get("mirror"), str) and mirror_address(config["mirror"]) is None:
            problems.append(
                FieldProblem("config.mirror", "must be udp://127.0.0.1:<port>, loopback only")
            )
        if problems:
            raise ValidationFailedError(problems)
        return dict(config)

    async def send(self, config: Mapping[str, Any], message: Message) -> Accepted | Rejected:
        """Send the message with the outcome of its channel account or its destination."""
        outcome = config.get("outcome") or _BY_ENDING.get(_ending(message), "accepted")
        if outcome == "timeout":
            await asyncio.Event().wait()
        if outcome == "rejected":
            return Rejected("sandbox_rejected", "The sandbox rejects this destination.")
        provider_message_id = _id_of(message)
        if self._outbox.take(provider_message_id, message, self._now()):
            if "mirror" in config:
                self._mirrors.send(config["mirror"], f"{message.destination} {message.text}")
            if outcome in _AFTERWARDS:
                afterwards = partial(self._deliver, message.channel_account_id, provider_message_id)
                self._pending.add(provider_message_id, partial(afterwards, *_AFTERWARDS[outcome]))
        return Accepted(provider_message_id)

    def can_revoke(self, channel: ChannelName) -> bool:
        """Return whether the channel can revoke messages; only RCS can (D-44)."""
        return channel == Channel.RCS

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, sent: SentMessage
    ) -> RevokeOutcome:
        """Revoke a message that the recipient has not received yet."""
        if not self.can_revoke(channel):
            return RevokeOutcome.NOT_REVOKED
        if sent.provider_message_id is None:
            return RevokeOutcome.NOT_REVOKED
        if self._outbox.has_arrived(sent.provider_message_id):
            return RevokeOutcome.DELIVERED
        self._pending.forget(sent.provider_message_id)
        return RevokeOutcome.REVOKED

    async def set_webhook(self, config: Mapping[str, Any], url: str) -> Webhook:
        """Say that nothing is to be entered."""
        return Webhook(steps=("Nothing is to be entered: the sandbox reports by itself.",))

    async def hear(self, config: Mapping[str, Any], post: Post) -> Heard:
        """Read a post, or a GET whose query has the members of a receipt, as some providers report."""
        body = queried(post.url) if post.method == "GET" else post.body
        return Heard(reports=self.reports(config, post.headers, body))

    def reports(
        self, config: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> Sequence[Report]:
        """
        Read a receipt, or a decision on a template (`sandbox_posts`).

        There is no signature: the route checks where a request comes from (C-4). A report about another
        account's message changes nothing in the outbox.
        """
        post = posted(body)
        if isinstance(post, TemplateReview):
            return [post]
        receipt = self._receipt(post.status, post.error_code)
        return [
            ProviderReport(
                provider_message_id=post.provider_message_id,
                reference=post.reference,
                receipt=receipt,
            )
        ]

    def report(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None = None
    ) -> ProviderReport:
        """Record the status of a message in the outbox; return the report of it."""
        self._outbox.report(provider_message_id, status)
        receipt = self._receipt(status, error_code)
        return ProviderReport(provider_message_id=provider_message_id, receipt=receipt)

    def report_on(
        self, reference: str, status: ReceiptStatus, error_code: str | None = None
    ) -> ProviderReport:
        """Return a report of a message that timed out; the reference stands for its missing id (C-68)."""
        return ProviderReport(reference=reference, receipt=self._receipt(status, error_code))

    def _receipt(self, status: ReceiptStatus, error_code: str | None) -> Receipt:
        return Receipt(status=status, error_code=error_code, reported_at=self._now())

    def deliver_receipts_to(self, track: Track) -> None:
        """Deliver receipts to this callable; until it is set, they are lost."""
        self._track = track

    async def deliver_pending(self) -> int:
        """Deliver all pending receipts now; return how many there were."""
        return await self._pending.deliver_pending()

    def snapshot(self) -> Outbox:
        """Return a copy of the outbox, which another thread may read: 10,000 messages take a while (C-94)."""
        return self._outbox.snapshot()

    def outbox(
        self, destination: str | None = None, channel: str | None = None, after: str | None = None
    ) -> Sequence[SandboxMessage]:
        """Return the sent messages, the newest last; `after` is the id of the last one seen."""
        return self._outbox.shown(destination, channel, after)

    def find(self, provider_message_id: str) -> SandboxMessage | None:
        """Return the sent message with an id of ours, if it is in the outbox."""
        return self._outbox.find(provider_message_id)

    def reported(self, provider_message_id: str) -> ReceiptStatus | None:
        """Return the newest receipt of a message, if it had one."""
        return self._outbox.reported(provider_message_id)

    def wrote(self, channel: ChannelName, sender: str, text: str, message_id: str) -> None:
        """Keep a message that a recipient wrote beside those that were sent."""
        at = self._now()
        self._outbox.write(
            WrittenMessage(at=at, channel=channel, sender=sender, text=text, message_id=message_id)
        )

    def written(self) -> Sequence[WrittenMessage]:
        """Return what recipients wrote, the newest last."""
        return self._outbox.written()

    def clear(self) -> None:
        """Empty the outbox."""
        self._outbox.clear()

    async def close(self) -> None:
        """Close the mirrors, and deliver no more receipts."""
        self._mirrors.close()
        await self._pending.close()

    async def _deliver(
        self,
        channel_account_id: str,
        provider_message_id: str,
        status: ReceiptStatus,
        error_code: str | None,
    ) -> None:
        if self._track is not None:
            report = self.report(provider_message_id, status, error_code)
            await self._track(channel_account_id, report)


def account_of(provider_message_id: str) -> str | None:
    """Return the channel account that one of the sandbox's ids names; None for any other id."""
    found = _OWN_ID.fullmatch(provider_message_id)
    return found[1] if found else None


def _id_of(message: Message) -> str:
    digest = hashlib.blake2b(message.reference.encode(), digest_size=12).hexdigest()
    return f"sandbox_{digest}_{message.channel_account_id}"


def _ending(message: Message) -> str:
    local = message.destination.partition("@")[0]
    return re.sub(r"\D", "", local[-8:])[-4:] if "@" not in message.destination else local[-4:]
