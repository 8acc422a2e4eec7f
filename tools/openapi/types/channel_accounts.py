"""Channel accounts, and the providers that they are for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.openapi.limits import limits_of
from tools.openapi.schemas import an_object, narrowed, or_null, reference, words
from watchword.adapters.channels.sandbox import OUTCOMES
from watchword.application.channel_accounts.health import ChannelHealth, LastOutcome
from watchword.application.channel_accounts.last_receipts import LastReceipt
from watchword.application.channel_accounts.views import (
    ChannelAccountView,
    ProviderView,
    SettingView,
)
from watchword.domain.accounts.channel_account import ChannelLimits, PrefixPrice
from watchword.domain.accounts.channel_account.decide import MOST_FAILOVERS, MOST_PRICES
from watchword.domain.channel import Channel
from watchword.domain.naming import a_name
from watchword.entrypoints.providers.built_in import OWN_NAMES
from watchword.entrypoints.wire.typed_requests import ChannelAccountChange, NewChannelAccount

_FAILOVER = {
    "type": ["array", "null"],
    "items": {"type": "string"},
    "maxItems": MOST_FAILOVERS,
    "uniqueItems": True,
}
_PRICES = {"type": ["array", "null"], "items": reference("ChannelPrice"), "maxItems": MOST_PRICES}

NAMED: Mapping[str, Any] = {
    "Provider": words(OWN_NAMES),
    "ChannelLimits": ChannelLimits,
    "ChannelPrice": PrefixPrice,
    "NewChannelAccount": narrowed(
        NewChannelAccount,
        channelType=Channel,
        provider=reference("Provider"),
        config=reference("ProviderConfig"),
        failover=_FAILOVER,
        prices=_PRICES,
    ),
    "ChannelAccountChange": narrowed(
        ChannelAccountChange,
        name=limits_of(a_name, {"type": "string"}),
        config={"type": "object"},
        failover=_FAILOVER,
        prices=_PRICES,
        channelType=or_null(words(Channel)),
    ),
    "ProviderConfig": {
        "type": "object",
        "properties": {
            "outcome": words(OUTCOMES),
            "mirror": {
                "type": "string",
                "pattern": r"^udp://(127\.0\.0\.1|localhost|\[::1\]):[0-9]{1,5}",
                "examples": ["udp://127.0.0.1:9999"],
            },
        },
    },
    "LastOutcome": LastOutcome,
    "LastReceipt": LastReceipt,
    "ChannelHealth": ChannelHealth,
    "ChannelAccount": narrowed(ChannelAccountView, channelType=Channel),
    "ProviderSetting": narrowed(
        SettingView, choices={"type": "array", "items": {"type": "string"}}
    ),
    "ProviderRecord": ProviderView,
    "ProviderList": an_object({"data": {"type": "array", "items": reference("ProviderRecord")}}),
}
