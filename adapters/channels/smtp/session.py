"""One connection to a mail server: mails go over it one after the other (RFC 5321)."""

from __future__ import annotations

import asyncio
from typing import cast

from aiosmtplib import (
    SMTP,
    SMTPResponse,
    SMTPResponseException,
    SMTPServerDisconnected,
)

from ....application.ports.channels import Accepted, Rejected, Unknown
from ..servers import NotTakenError
from .mail import Mail
from .outcomes import Stage, bad_reply, connection_cut, is_refusal, refusal

_CLOSING = 421
_START_INPUT = 354


class DeadError(NotTakenError):
    """The connection was dead before a mail began; another one may be tried."""


class SmtpSession:
    """
    A connection that is logged in; one mail at a time uses it.

    `timer` closes it when it was idle for too long. A mail that was refused leaves an envelope at the
    server, which the next one resets.
    """

    def __init__(self, client: SMTP) -> None:
        self._client = client
        self._used_up = False
        self.timer: asyncio.TimerHandle | None = None

    @property
    def is_usable(self) -> bool:
        """Return whether the connection stands and its replies belong to its commands."""
        return self._client.is_connected and not self._has_surplus()

    @property
    def tls_version(self) -> str | None:
        """Return the version of TLS, such as `TLSv1.3`; None without TLS."""
        secured = self._client.get_transport_info("ssl_object")
        return None if secured is None else str(secured.version())

    async def check(self) -> None:
        """Exchange a command that does nothing; raises `NotTakenError`."""
        reply = await self._command(b"NOOP")
        if not _is_good(reply):
            raise NotTakenError(refusal(Stage.GREETING, reply))

    async def begin(self, mail: Mail) -> Rejected | None:
        """Name the sender; return why the server refuses it. Raises `DeadError`."""
        try:
            if self._used_up:
                reply = await self._command(b"RSET")
                if not _is_good(reply):
                    raise DeadError(refusal(Stage.SENDER, reply))
                self._used_up = False
            reply = await self._command(b"MAIL", b"FROM:<" + mail.sender.encode("ascii") + b">")
        except NotTakenError as error:
            raise DeadError(error.answer) from None
        if _is_good(reply):
            return None
        if reply.code == _CLOSING:
            raise DeadError(refusal(Stage.SENDER, reply, mail))
        return self._refused(Stage.SENDER, reply, mail)

    async def finish(self, mail: Mail) -> Accepted | Rejected | Unknown:
        """Send the rest of a mail that has begun."""
        try:
            reply = await self._command(b"RCPT", b"TO:<" + mail.destination.encode("ascii") + b">")
            if not _is_good(reply):
                return self._refused(Stage.RECIPIENT, reply, mail)
            reply = await self._command(b"DATA")
        except NotTakenError as error:
            return error.answer
        if reply.code != _START_INPUT:
            return self._refused(Stage.CONTENT, reply, mail)
        return await self._hand_over(mail)

    def leave(self) -> None:
        """Say goodbye, and close the connection without waiting for the answer."""
        self.stop_timer()
        if self._client.protocol is not None and self._client.is_connected:
            self._client.protocol.write(b"QUIT\r\n")
        self._client.close()

    def abort(self) -> None:
        """Drop the connection, with everything that is not written yet."""
        self.stop_timer()
        if self._client.transport is not None:
            # Also uvloop's, which are no subclasses of asyncio's.
            cast(asyncio.WriteTransport, self._client.transport).abort()
        self._client.close()

    async def _hand_over(self, mail: Mail) -> Accepted | Rejected | Unknown:
        """
        Send the lines of a mail, and the final dot as a command of its own.

        Until the dot is written, the server certainly does not take the mail. Nothing is awaited
        between the check and the dot.
        """
        protocol = self._client.protocol
        if protocol is not None and self.is_usable:
            protocol.write(mail.lines)
        # A write may find out that the server is gone.
        if not self.is_usable:
            self.abort()
            return connection_cut()
        try:
            reply = await self._client.execute_command(b".")
        except (SMTPServerDisconnected, SMTPResponseException):
            self.abort()
            return _nobody_knows(mail)
        if _is_good(reply):
            return Accepted(mail.message_id)
        if is_refusal(reply):
            return refusal(Stage.CONTENT, reply, mail)
        self.abort()
        return _nobody_knows(mail)

    async def _command(self, *words: bytes) -> SMTPResponse:
        """Return the reply to a command; raises `NotTakenError` if there is none, or a second one."""
        try:
            reply = await self._client.execute_command(*words)
        except SMTPServerDisconnected:
            raise NotTakenError(connection_cut()) from None
        except SMTPResponseException:
            self.abort()
            raise NotTakenError(bad_reply()) from None
        if self._has_surplus():
            self.abort()
            raise NotTakenError(bad_reply())
        return reply

    def _refused(self, stage: Stage, reply: SMTPResponse, mail: Mail) -> Rejected:
        if is_refusal(reply):
            self._used_up = True
        else:
            # Nobody knows what the server waits for.
            self.abort()
        return refusal(stage, reply, mail)

    def _has_surplus(self) -> bool:
        """
        Return whether the server has sent more than one reply to a command.

        The library would take the rest for the reply to the next command, and a mail's outcome would be
        that of another. It does not tell, so this reads its buffer.
        """
        protocol = self._client.protocol
        return protocol is not None and bool(protocol._buffer)

    def stop_timer(self) -> None:
        """Stop the timer that closes an idle connection."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


def _is_good(reply: SMTPResponse) -> bool:
    """Return whether a reply is positive; its first digit counts (RFC 5321, 4.2.1)."""
    return 200 <= reply.code <= 299


def _nobody_knows(mail: Mail) -> Unknown:
    words = "The connection broke before the mail server said whether it took the mail."
    return Unknown(message=words, provider_message_id=mail.message_id)
