"""Make the channel providers of a service: built-in ones, the sandbox's, and those given (C-52, C-72)."""

from __future__ import annotations

from collections.abc import Mapping

from ...adapters.channels.sandbox import SandboxProvider
from ...application.ports.channels import ChannelProvider
from ...domain.accounts.channel_account import ChannelAccount
from ..sandbox.phones import PROVIDER as SANDBOX
from .built_in import BUILT_IN


def make_providers(
    given: Mapping[str, ChannelProvider], sandbox: SandboxProvider | None
) -> dict[str, ChannelProvider]:
    """Return the providers of a service by name: its own, and those that an embedder gives."""
    own = {} if sandbox is None else {SANDBOX: sandbox}
    return {**own, **{name: make() for name, make in BUILT_IN.items()}, **given}


def third_parties(given: Mapping[str, ChannelProvider]) -> frozenset[str]:
    """Return the names of given providers that are channels of their own (C-52)."""
    return frozenset(
        name for name, each in given.items() if each.channels is None or name in each.channels
    )


def simulates_recipients(account: ChannelAccount) -> bool:
    """
    Return whether a channel account has recipients that stay silent at will, so that none is a fault.

    Those are the sandbox's (C-40), unless the account itself is set to stay silent (D-226).
    """
    return account.provider == SANDBOX and "outcome" not in account.config
