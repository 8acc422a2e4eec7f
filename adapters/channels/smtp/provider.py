"""The provider `smtp`: sends plain text mail by an operator's mail server (C-63)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ....application.ports.channels import (
    Accepted,
    ChannelProvider,
    Connected,
    Context,
    Fault,
    Message,
    Rejected,
    Setting,
    Unknown,
    Webhook,
)
from ....domain.channel import Channel, ChannelName
from ....domain.destination import NOT_AN_ADDRESS
from ...checked_addresses import CheckedAddresses, LookUp
from ...public_addresses import is_public_or_own
from ..servers import NotTakenError
from .mail import DestinationError, SenderError, mail_of
from .mailboxes import NO_MAILBOX
from .pool import SmtpPool, SmtpPools
from .settings import SETTINGS, checked_smtp_config, settings_of

_NO_DESTINATION = Rejected(
    "smtp_invalid_destination", f"The destination {NOT_AN_ADDRESS}.", Fault.RECIPIENT
)
_NO_WEBHOOK = Webhook(steps=("Nothing is to be entered: a mail server posts nothing.",))
_NO_SENDER = Rejected("smtp_invalid_sender", f"The sender {NO_MAILBOX}.", Fault.ACCOUNT)


class SmtpProvider(ChannelProvider):
    """
    Hands mails to mail servers. An outcome ends at accepted: mail has no receipts here.

    The Message-ID of a mail is its provider message id, chosen before the mail is sent; so it is known
    after an unknown outcome, too. `look_up` resolves names in place of the system's resolver.
    """

    def __init__(self, look_up: LookUp | None = None) -> None:
        self._look_up = look_up
        self._now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self._begin()

    @property
    def settings(self) -> Sequence[Setting]:
        """The settings of C-63."""
        return SETTINGS

    @property
    def channels(self) -> Collection[ChannelName]:
        """E-mail alone."""
        return (Channel.EMAIL,)

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check a config, and the file of certificates that it names."""
        return checked_smtp_config(config)

    async def open(self, context: Context) -> None:
        """Begin without connections, with the service's clock, which dates mails."""
        self._now = context.now
        self._begin()

    async def close(self) -> None:
        """Close all connections."""
        self._pools.close()
        self._names.close()

    async def probe(self, config: Mapping[str, Any]) -> Connected | Rejected:
        """Connect, log in and leave, on a connection that no send uses."""
        settings = settings_of(config)
        try:
            session = await SmtpPool(settings, self._names).open_session()
            try:
                await session.check()
                version = session.tls_version or "without TLS"
            finally:
                session.leave()
        except NotTakenError as error:
            return error.answer
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        return Connected(f"{host}:{settings.port} {version}")

    async def set_webhook(self, config: Mapping[str, Any], url: str) -> Webhook:
        """Say that nothing is to be entered."""
        return _NO_WEBHOOK

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Send a message as a mail, once."""
        settings = settings_of(config)
        try:
            mail = mail_of(message, settings.origin, self._now())
        except DestinationError:
            return _NO_DESTINATION
        except SenderError:
            return _NO_SENDER
        return await self._pools.of(message.channel_account_id, settings).send(mail)

    def _begin(self) -> None:
        # Hosts are the operator's choice: private ones are allowed, link-local ones never (C-63).
        self._names = CheckedAddresses(is_public_or_own, self._look_up)
        self._pools = SmtpPools(self._names)
