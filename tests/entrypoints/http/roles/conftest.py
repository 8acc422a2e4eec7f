"""A service with two furnished accounts."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.entrypoints.caller import Caller
from tests.entrypoints.http.roles.houses import House, delivered, furnished
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Return settings with which endpoints and webhooks may have addresses."""
    return evolve(settings, allow_private_urls=True, public_url="https://codes.tea.example")


@pytest.fixture
async def houses(caller: Caller, service: Wired) -> tuple[House, House]:
    """Return two accounts that have a record of each kind."""
    orchid = await furnished(caller, service, "orchid", "+4477009001")
    lotus = await furnished(caller, service, "lotus", "+4477009002")
    await caller.advance(60)
    return await delivered(caller, service, orchid), await delivered(caller, service, lotus)
