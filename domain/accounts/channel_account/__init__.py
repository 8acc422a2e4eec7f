"""A channel account: an account at one provider for one channel, with its settings (C-35, C-63)."""

from .decide import (
    ChannelAccount,
    ChannelAccountCreated,
    ChannelAccountEvent,
    ChannelAccountNotFoundError,
    ChannelSecretsDropped,
    channel_account_decider,
    create,
    drop_secrets,
    redecide,
)

__all__ = [
    "ChannelAccount",
    "ChannelAccountCreated",
    "ChannelAccountEvent",
    "ChannelAccountNotFoundError",
    "ChannelSecretsDropped",
    "channel_account_decider",
    "create",
    "drop_secrets",
    "redecide",
]
