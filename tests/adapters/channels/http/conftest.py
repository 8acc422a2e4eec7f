"""What tests of the provider `http` are given."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.adapters.channels.http.counterparts import Counterpart, counterpart, opened
from watchword.adapters.channels.http.provider import HttpProvider


@pytest.fixture
async def provider() -> AsyncIterator[HttpProvider]:
    """Yield the provider, opened."""
    async with opened() as running:
        yield running


@pytest.fixture
async def theirs() -> AsyncIterator[Counterpart]:
    """Yield a counterpart that accepts everything."""
    async with counterpart() as running:
        yield running
