"""The addresses to which providers post (C-34)."""

from __future__ import annotations

from ...application.provider_context import CallbackUrlOf

CALLBACK_PATH = "/callbacks/{channelAccountId}"


def callbacks_under(base: str | None) -> CallbackUrlOf:
    """Return a function to a channel account's address under `base`; without a `base`, it has none."""
    return lambda channel_account_id: (
        None if not base else base + CALLBACK_PATH.format(channelAccountId=channel_account_id)
    )
