"""A house on a store of each kind, for tests of test destinations."""

from __future__ import annotations

import pytest

from tests.application.house import House, build_house
from watchword.application.ports.event_store import EventStore


@pytest.fixture
async def house(store: EventStore) -> House:
    """Return a house whose template makes codes of ten digits."""
    return await build_house(inside=store)
