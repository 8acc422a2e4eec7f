"""The addresses to which providers post (C-34)."""

from __future__ import annotations

from ...application.channel_accounts.callback_urls import CallbackUrlOf

CALLBACK_PATH = "/callbacks/{channelAccountId}"


def callbacks_under(base: str | None) -> CallbackUrlOf:
    """Return a function to a channel account's address under `base`; without a `base`, it has none."""
    return lambda channel_account_id: base + callback_path(channel_account_id) if base else None


def callback_path(channel_account_id: str) -> str:
    """Return the path that hears posts about a channel account, for operators to complete."""
    return CALLBACK_PATH.format(channelAccountId=channel_account_id)
