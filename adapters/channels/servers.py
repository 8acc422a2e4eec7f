"""Servers that are connected to without HTTP, and why they certainly did not take a message (C-69)."""

from __future__ import annotations

import socket
import ssl

from attrs import frozen

from ...application.ports.channels import Fault, Rejected
from ..checked_addresses import AddressRefused
from .server_settings import authority


class NotTakenError(Exception):
    """The server certainly did not take the message; `answer` says why. Its text is empty on purpose."""

    def __init__(self, answer: Rejected) -> None:
        super().__init__()
        self.answer = answer


@frozen(kw_only=True)
class Server:
    """A kind of server: its name in sentences, the beginning of its codes, and what to do if it is away."""

    name: str
    prefix: str
    advice: str

    def away(self, code: str, words: str) -> Rejected:
        """Return the outcome of a server out of reach, or of one that cut the conversation off."""
        return Rejected(f"{self.prefix}_{code}", f"{words} {self.advice}", Fault.AWAY)

    def not_reached(self, error: OSError | UnicodeError) -> Rejected:
        """Return the outcome of a connection that did not come about."""
        if isinstance(error, AddressRefused):
            words = (
                f"The {self.name}'s name has an address that is never called, such as link-local."
            )
            return self._refused("address_refused", words)
        if isinstance(error, TimeoutError):
            return self.away("unreachable", f"The {self.name} cannot be reached in time.")
        if isinstance(error, socket.gaierror | UnicodeError):
            return self.away("unreachable", f"The {self.name}'s name has no address.")
        return self.away("unreachable", "No connection was possible.")

    def tls_failed(self, error: ssl.SSLError) -> Rejected:
        """Return the outcome of a failed handshake; a certificate that is not trusted is named."""
        if isinstance(error, ssl.SSLCertVerificationError):
            why = f"its certificate is not trusted ({printable(error.verify_message)})"
        else:
            why = printable(error.reason or "the handshake failed")
        return self.away("tls_failed", f"There is no safe connection to the {self.name}: {why}.")

    def trusted(self, ca_file: str | None) -> ssl.SSLContext:
        """
        Return the checks of the server's certificate; it reads files.

        Raises `NotTakenError` if the account's own file of certificates cannot be read.
        """
        try:
            cadata = None if ca_file is None else authority(ca_file)
            return ssl.create_default_context(cadata=cadata)
        except (OSError, ValueError):
            words = (
                "The service cannot read the channel account's caFile. Check the file on this node."
            )
            raise NotTakenError(self._refused("ca_file_unreadable", words)) from None

    def _refused(self, code: str, words: str) -> Rejected:
        return Rejected(f"{self.prefix}_{code}", words, Fault.ACCOUNT)


def printable(text: str) -> str:
    """Return what a server said on one line."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
