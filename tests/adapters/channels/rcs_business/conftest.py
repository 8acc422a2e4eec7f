"""What tests of the provider `rcs_business` are given."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.adapters.channels.rcs_business.google import Google, running
from watchword.adapters.channels.rcs_business import RcsBusinessProvider
from watchword.testing import FakeContext


@pytest.fixture
async def google() -> AsyncIterator[Google]:
    """Yield a Google."""
    async with running() as google:
        yield google


@pytest.fixture
async def provider() -> AsyncIterator[RcsBusinessProvider]:
    """Yield the provider, opened."""
    provider = RcsBusinessProvider()
    await provider.open(FakeContext())
    yield provider
    await provider.close()
