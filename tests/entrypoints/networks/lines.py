"""Counterparts of the providers of all channels: what reached them, and what they report and pass on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.policy import default
from typing import Any, Protocol

from attrs import define

from tests.adapters.channels.smpp import deliveries
from tests.adapters.channels.smpp.accounts import config_of as smpp_config
from tests.adapters.channels.smpp.smsc import Smsc
from tests.adapters.channels.smtp.accounts import config_of as smtp_config
from tests.adapters.channels.smtp.mail_servers import Mailroom, aiosmtpd_server
from tests.entrypoints.networks.accounts import Account


class Line(Protocol):
    """The counterpart of one provider; its number or name is `sender`."""

    provider: str
    channel: str
    sender: str

    @property
    def config(self) -> Mapping[str, Any]:
        """The settings of a channel account there."""
        ...

    @property
    def texts(self) -> list[str]:
        """The texts that it took, the newest last."""
        ...

    async def report(self, account: Account) -> None:
        """Report that the newest message was delivered; return once that is acknowledged."""
        ...

    async def pass_on(self, account: Account, person: str, text: str) -> None:
        """Pass on a message from a person; return once that is acknowledged."""
        ...


@define
class SmppLine:
    """An SMSC, which reports on the connection of the account."""

    smsc: Smsc
    provider = "smpp"
    channel = "sms"
    sender = "TEAHOUSE"

    @property
    def config(self) -> Mapping[str, Any]:
        """The settings of a channel account there."""
        return smpp_config(self.smsc.port)

    @property
    def texts(self) -> list[str]:
        """The texts that it took; GSM-7 and ASCII have the same octets for these letters."""
        return [each.pdu.short_message.decode("ascii") for each in self.smsc.submits]

    async def report(self, account: Account) -> None:
        """Report that the newest message was delivered."""
        await self._pushed(deliveries.receipt(f"smsc-{len(self.smsc.submits)}"))

    async def pass_on(self, account: Account, person: str, text: str) -> None:
        """Pass on a message from a person."""
        pdu = deliveries.inbound(text.encode("ascii"), phone=person.lstrip("+"), to=self.sender)
        await self._pushed(pdu)

    async def _pushed(self, pdu: bytes) -> None:
        await self.smsc.until(lambda: any(each.hears for each in self.smsc.sessions))
        delivery = self.smsc.push(pdu)
        await self.smsc.until(lambda: delivery.status is not None)
        assert 0 == delivery.status


@define
class MailLine:
    """A mail server, which reports nothing."""

    room: Mailroom
    port: int
    provider = "smtp"
    channel = "email"

    @property
    def config(self) -> Mapping[str, Any]:
        """The settings of a channel account there."""
        return smtp_config(self.port)

    @property
    def texts(self) -> list[str]:
        """The texts of the mails that it took."""
        mails = [message_from_bytes(each, policy=default) for each in self.room.contents]
        return [each.get_content() for each in mails]


@asynccontextmanager
async def smpp_line() -> AsyncIterator[SmppLine]:
    """Run an SMSC."""
    async with Smsc() as smsc:
        yield SmppLine(smsc)


@asynccontextmanager
async def mail_line() -> AsyncIterator[MailLine]:
    """Run a mail server."""
    room = Mailroom()
    async with aiosmtpd_server(room) as port:
        yield MailLine(room, port)
