"""The provider `http`: messages and receipts of any HTTP API, described by a channel account's config."""

from .provider import HttpProvider

__all__ = ["HttpProvider"]
