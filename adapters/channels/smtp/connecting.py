"""Connect to a mail server: its checked addresses, TLS that is verified, and the login (C-63)."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Sequence

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPResponse,
    SMTPResponseException,
)

from ....application.ports.channels import Fault, Rejected
from ...checked_addresses import CheckedAddresses
from ...public_addresses import address_in, is_loopback
from ..reaching import first_that_answers
from ..servers import NotTakenError
from .outcomes import MAIL_SERVER, Stage, connection_cut, refusal
from .settings import TLS_IMPLICIT, TLS_NONE, TLS_STARTTLS, SmtpSettings

# The seconds for a look-up and the connection, and for all up to the login (D-214).
REACH_SECONDS = 4.0
OPEN_SECONDS = 5.5
_MOST_ADDRESSES = 4
# Replies to AUTH that a server does not have the mechanism, although it offers it (RFC 5321, 4.2.4).
_NOT_THIS_WAY = range(500, 505)


async def connected(
    settings: SmtpSettings, names: CheckedAddresses, trusted: ssl.SSLContext | None
) -> SMTP:
    """Return a client that is logged in; raises `NotTakenError`."""
    try:
        async with asyncio.timeout(OPEN_SECONDS):
            reached = await _reached(settings, names)
            return await _logged_in(settings, reached, trusted)
    except TimeoutError:
        raise NotTakenError(MAIL_SERVER.away("timeout", "The mail server is too slow.")) from None


def trusted_authorities(settings: SmtpSettings) -> ssl.SSLContext | None:
    """
    Return the checks of the server's certificate; None without TLS.

    It reads files. Raises `NotTakenError` if the account's own file of certificates cannot be read.
    """
    if settings.tls == TLS_NONE:
        return None
    return MAIL_SERVER.trusted(settings.ca_file)


async def _reached(settings: SmtpSettings, names: CheckedAddresses) -> socket.socket:
    """Return a socket that is connected to the first address that answers."""
    try:
        async with asyncio.timeout(REACH_SECONDS):
            found = await names.of(settings.host)
            _require_safe_login(settings, found)
            return await first_that_answers(found[:_MOST_ADDRESSES], settings.port, REACH_SECONDS)
    except (OSError, UnicodeError) as error:
        raise NotTakenError(MAIL_SERVER.not_reached(error)) from None


def _require_safe_login(settings: SmtpSettings, addresses: Sequence[str]) -> None:
    """Refuse to send a password in clear to another machine; names change after they were checked."""
    if settings.username is None or settings.tls != TLS_NONE:
        return
    if not all(is_loopback(address_in(each)) for each in addresses):
        words = (
            "A password goes over TLS alone, or to this machine. Set tls to starttls or implicit."
        )
        raise NotTakenError(Rejected("smtp_login_in_clear", words, Fault.ACCOUNT))


async def _logged_in(
    settings: SmtpSettings, reached: socket.socket, trusted: ssl.SSLContext | None
) -> SMTP:
    client = SMTP(
        hostname=settings.host,
        sock=reached,
        # Names of hosts may be secret, and a domain that sends mail is known.
        local_hostname=settings.origin.domain,
        use_tls=settings.tls == TLS_IMPLICIT,
        start_tls=False,
        tls_context=trusted,
        # Python 3.11's `wait_for`, which the library calls, can lose a cancellation. Time is limited here.
        timeout=None,
    )
    try:
        await _ready(client, settings, trusted)
    except SMTPResponseException as error:
        client.close()
        stage = Stage.LOGIN if isinstance(error, SMTPAuthenticationError) else Stage.GREETING
        raise NotTakenError(refusal(stage, SMTPResponse(error.code, error.message))) from None
    except (SMTPException, OSError) as error:
        client.close()
        raise NotTakenError(_failure(error)) from None
    except BaseException:
        client.close()
        raise
    return client


async def _ready(client: SMTP, settings: SmtpSettings, trusted: ssl.SSLContext | None) -> None:
    await client.connect()
    await client.ehlo()
    if settings.tls == TLS_STARTTLS:
        # A server that stops offering it may be an attacker on the way (D-212).
        if not client.supports_extension("starttls"):
            words = "The mail server offers no STARTTLS, and mail never goes out in clear instead."
            raise NotTakenError(MAIL_SERVER.away("starttls_missing", words))
        try:
            await client.starttls(tls_context=trusted)
        except SMTPResponseException as error:
            reply = SMTPResponse(error.code, error.message)
            raise NotTakenError(refusal(Stage.TLS, reply)) from None
        await client.ehlo()
    if settings.username is not None and settings.password is not None:
        await _log_in(client, settings.username, settings.password)


async def _log_in(client: SMTP, username: str, password: str) -> None:
    """Log in by the first mechanism that the server has; a wrong password is sent once."""
    known = {
        "plain": client.auth_plain,
        "login": client.auth_login,
        "cram-md5": client.auth_crammd5,
    }
    offered = [name for name in known if name in client.server_auth_methods]
    for name in offered:
        try:
            await known[name](username, password)
        except SMTPAuthenticationError as error:
            if error.code in _NOT_THIS_WAY and name != offered[-1]:
                continue
            raise
        else:
            return
    words = "The mail server offers no login by PLAIN, LOGIN or CRAM-MD5. Check host, port and tls."
    raise NotTakenError(Rejected("smtp_login_missing", words, Fault.ACCOUNT))


def _failure(error: Exception) -> Rejected:
    """Return the outcome of a connection that broke; the library keeps the reason as the cause."""
    reason = error if isinstance(error, ssl.SSLError) else error.__cause__
    if isinstance(reason, ssl.SSLError):
        return MAIL_SERVER.tls_failed(reason)
    return connection_cut()
