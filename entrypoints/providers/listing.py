"""List the providers that services on this machine have, without a store (C-66, C-72)."""

from __future__ import annotations

from collections.abc import Sequence

from ...application.channel_accounts.checking_configs import CheckingConfigs
from ...application.channel_accounts.views import ProviderView
from .making import make_providers, third_parties
from .plugins import load_plugins


def listed_providers() -> Sequence[ProviderView]:
    """Return the providers by name, plugins included; none of them is opened."""
    plugins = load_plugins()
    configs = CheckingConfigs(make_providers(plugins, None), third_parties(plugins))
    return configs.providers()
