"""A listener for hostile clients, with little patience."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from watchword.entrypoints.http.listener.patience import Patience
from watchword.entrypoints.wired import Wired


@pytest.fixture
def store_url() -> str:
    """Use a store in memory: these tests are about what comes before the store."""
    return "memory://"


@pytest.fixture
def patience() -> Patience:
    """Return the listener's patience; modules have their own."""
    return Patience()


@pytest.fixture
async def caller(service: Wired, patience: Patience) -> AsyncIterator[Caller]:
    """Yield a well-behaved client of the listener."""
    async with listening(service, patience=patience) as client:
        yield client


@pytest.fixture
def port(caller: Caller) -> int:
    """Return the listener's port."""
    return int(caller.endpoint.make_url("/").port or 0)
