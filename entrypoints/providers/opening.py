"""Open the channel providers of a service with what they may use of it, and close them (C-70)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack

from ...adapters.logs import located, logger
from ...application.ports.channels import ChannelProvider, Context
from ...application.provider_context import ProviderContext
from ..addresses.callbacks import callbacks_under
from ..settings import SettingsError
from ..wired import Wired

# The seconds in which a provider opens, and in which all of them close.
OPENING_SECONDS = 10.0
CLOSING_SECONDS = 5.0

_log = logger("watchword.providers")


def contexts_of(service: Wired) -> Callable[[str], Context]:
    """Return a function from a provider's name to the parts of the service that it may use."""

    def context_of(provider: str) -> Context:
        return ProviderContext(
            provider,
            service.journal,
            service.channel_secrets,
            service.recording_reports,
            service.hosted_media,
            callbacks_under(service.short_domains.base_url),
            service.randomness,
            service.clock,
        )

    return context_of


async def open_providers(
    stack: AsyncExitStack,
    providers: Mapping[str, ChannelProvider],
    context_of: Callable[[str], Context],
    *,
    listening: bool,
) -> None:
    """
    Open each provider; `stack` closes all that were begun, also the one that failed.

    If this process does the service's due work, the providers also hold their own connections (D-263).
    Raises `SettingsError`, which names the provider that did not open.
    """
    begun: dict[str, ChannelProvider] = {}
    stack.push_async_callback(_close, begun)
    for name, provider in providers.items():
        begun[name] = provider
        limit = asyncio.timeout(OPENING_SECONDS)
        try:
            async with limit:
                await provider.open(context_of(name))
                if listening:
                    await provider.listen()
        except Exception as error:
            # The text of the error may quote a secret of a channel account.
            _log.error("provider_not_opened", provider=name, **located(error))
            late = f" within {OPENING_SECONDS:g} s" if limit.expired() else ""
            raise SettingsError(
                f"The channel provider {name!r} did not open{late} ({type(error).__name__}). The log says"
                " where. Correct it, or start without it."
            ) from error


async def _close(providers: Mapping[str, ChannelProvider]) -> None:
    """Close providers at the same time; one that fails or hangs keeps nobody waiting."""
    await asyncio.gather(*(_close_one(name, each) for name, each in providers.items()))


async def _close_one(name: str, provider: ChannelProvider) -> None:
    try:
        async with asyncio.timeout(CLOSING_SECONDS):
            await provider.close()
    except Exception as error:
        _log.warning("provider_not_closed", provider=name, **located(error))
