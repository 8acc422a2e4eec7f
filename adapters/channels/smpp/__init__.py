"""The provider `smpp`: SMS by a session with an SMSC, SMPP 3.4 (C-63)."""

from .provider import SmppProvider

__all__ = ["SmppProvider"]
