"""The providers that an embedder brings, checked before anything relies on them (D-154)."""

from __future__ import annotations

from collections.abc import Mapping

from ...application.ports.channels import ChannelProvider
from ...domain.channel import Channel
from ..sandbox_phones import PROVIDER
from ..settings import SettingsError

_PORT = tuple(name for name in vars(ChannelProvider) if not name.startswith("_"))
# The port says what these are for and cannot answer for anybody.
_OWN = ("check_config", "send")
# What channel accounts and fallback steps call Watchword's own by.
_TAKEN = frozenset({*Channel, "wa", PROVIDER})


def check_providers(providers: Mapping[str, object]) -> None:
    """
    Refuse what is no whole `ChannelProvider`, and names that are taken.

    One that lacks a part would send well, and lose fallbacks and reports later, where nobody looks.
    Raises `SettingsError` naming the provider and what to do.
    """
    for name, provider in providers.items():
        if name in _TAKEN:
            raise SettingsError(
                f"The name {name!r} in channels= is one of Watchword's own. Choose another."
            )
        if isinstance(provider, type):
            raise SettingsError(
                f"The provider {name!r} in channels= is the class {provider.__name__}."
                " Give an object of it."
            )
        kind = type(provider)
        lacking = [each for each in _PORT if not hasattr(provider, each)]
        lacking += [
            each for each in _OWN if getattr(kind, each, None) is vars(ChannelProvider)[each]
        ]
        if lacking:
            raise SettingsError(
                f"The provider {name!r} in channels= ({kind.__name__}) has no {', no '.join(lacking)}."
                " Have its class inherit watchword.ChannelProvider, and give it a send and a"
                " check_config of its own."
            )
