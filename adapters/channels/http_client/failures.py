"""Sends of which nothing was written: why, in words that quote nothing of the message (C-68, C-69)."""

from __future__ import annotations

import errno
import ssl

import aiohttp

from ....application.ports.channels import Fault
from ...checked_addresses import AddressRefused

# Longer than any provider takes to accept a connection, and short enough to try another account then.
CONNECT_SECONDS = 4.0


class NotSentError(Exception):
    """Nothing of a request was written; `code`, `words` and `fault` say why."""

    def __init__(self, code: str, words: str, fault: Fault) -> None:
        super().__init__(code)
        self.code, self.words, self.fault = code, words, fault


def no_unicode() -> NotSentError:
    """Return that a message cannot be encoded."""
    words = "The message has characters that cannot be encoded (unpaired surrogates)."
    return NotSentError("text_refused", words, Fault.CONTENT)


def no_address(host: str) -> NotSentError:
    """Return that a name cannot be resolved."""
    return _away("dns_failed", f"The name {host} has no address.")


def not_connected(error: Exception, host: str, port: int) -> NotSentError:
    """Return why no connection came about; the words name the host."""
    inner = getattr(error, "os_error", error)
    if isinstance(inner, AddressRefused):
        words = f"{host} has an address that is never called, such as a link-local one."
        return _away("address_refused", words)
    if isinstance(error, TimeoutError):
        words = f"{host}:{port} did not take a connection within {CONNECT_SECONDS:g} s."
        return _away("connect_timeout", words)
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return no_address(host)
    certificate = getattr(error, "certificate_error", error)
    if isinstance(certificate, ssl.SSLCertVerificationError):
        reason = certificate.verify_message.rstrip(".")
        words = f"The certificate of {host} is not valid: {reason}."
        return _away("tls_failed", words)
    if isinstance(error, ssl.SSLError | aiohttp.ClientSSLError):
        return _away("tls_failed", f"{host}:{port} does not agree on TLS.")
    number = inner.errno if isinstance(inner, OSError) else None
    kind = errno.errorcode.get(number or 0, "no connection")
    return _away("connect_failed", f"{host}:{port} cannot be connected to ({kind}).")


def _away(code: str, words: str) -> NotSentError:
    return NotSentError(code, words, Fault.AWAY)
