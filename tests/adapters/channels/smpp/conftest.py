"""A provider `smpp` with short pauses, and an SMSC for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from tests.adapters.channels.smpp.accounts import QUICK, config_of
from tests.adapters.channels.smpp.smsc import Smsc
from watchword.adapters.channels.smpp import SmppProvider
from watchword.testing import FakeContext


@pytest.fixture
async def smsc() -> AsyncIterator[Smsc]:
    """Yield an SMSC that accepts everything."""
    async with Smsc() as smsc:
        yield smsc


@pytest.fixture
def config(smsc: Smsc) -> Mapping[str, Any]:
    """Return the config of an account with this SMSC."""
    return config_of(smsc.port)


@pytest.fixture
def context() -> FakeContext:
    """Return the service that the provider is opened with."""
    return FakeContext()


@pytest.fixture
async def provider(context: FakeContext, smsc: Smsc) -> AsyncIterator[SmppProvider]:
    """Yield a provider, and unbind; the SMSC ends after it."""
    provider = SmppProvider(timings=QUICK)
    await provider.open(context)
    yield provider
    await provider.close()
