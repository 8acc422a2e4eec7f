"""The provider `rcs_business`: Google's RCS Business Messaging (C-63)."""

from .provider import RcsBusinessProvider

__all__ = ["RcsBusinessProvider"]
