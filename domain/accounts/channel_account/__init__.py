"""A channel account: an account at one provider for one channel, with its settings (C-35, C-63, C-66)."""

from .decide import (
    create,
    disable,
    drop_secrets,
    enable,
    failover_target,
    record_test,
    redecide,
    revise,
)
from .events import (
    ChannelAccountCreated,
    ChannelAccountDisabled,
    ChannelAccountEnabled,
    ChannelAccountEvent,
    ChannelAccountRevised,
    ChannelAccountTested,
    ChannelSecretsDropped,
)
from .limits import ChannelLimits, PrefixPrice
from .price_list import PriceList
from .states import ChannelAccount, ChannelAccountNotFoundError, channel_account_decider

__all__ = [
    "ChannelAccount",
    "ChannelAccountCreated",
    "ChannelAccountDisabled",
    "ChannelAccountEnabled",
    "ChannelAccountEvent",
    "ChannelAccountNotFoundError",
    "ChannelAccountRevised",
    "ChannelAccountTested",
    "ChannelLimits",
    "ChannelSecretsDropped",
    "PrefixPrice",
    "PriceList",
    "channel_account_decider",
    "create",
    "disable",
    "drop_secrets",
    "enable",
    "failover_target",
    "record_test",
    "redecide",
    "revise",
]
