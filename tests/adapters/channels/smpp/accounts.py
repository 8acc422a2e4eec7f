"""Channel accounts of the provider `smpp`, and time limits, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from watchword.adapters.channels.smpp.timings import Timings
from watchword.application.ports.channels import ProviderAccount
from watchword.domain.channel import Channel

# Pauses that no test has to wait for; the time limits stay.
QUICK = Timings(
    first_pause=0.01,
    longest_pause=0.05,
    stable=0,
    throttled=0.05,
    drain=1.0,
    leave=0.2,
    look=0.01,
    settled=0,
    hear=0.01,
    pieces=0.01,
)


def config_of(port: int, **more: Any) -> Mapping[str, Any]:
    """Return the config of an account whose SMSC is on this machine."""
    return {
        "host": "127.0.0.1",
        "port": port,
        "systemId": "orchid",
        "password": "s3cret",
        **more,
    }


def account_of(
    config: Mapping[str, Any], name: str = "cha_orchid", *, enabled: bool = True
) -> ProviderAccount:
    """Return a channel account, by default the one whose messages `a_message` makes."""
    return ProviderAccount(
        channel_account_id=name,
        channel=Channel.SMS,
        sender="Orchid",
        config=config,
        enabled=enabled,
    )
