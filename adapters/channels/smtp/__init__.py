"""The provider `smtp`: plain text mail by a mail server (C-63)."""

from .provider import SmtpProvider

__all__ = ["SmtpProvider"]
