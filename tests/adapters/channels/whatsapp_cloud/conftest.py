"""What tests of the provider `whatsapp_cloud` are given."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.adapters.channels.whatsapp_cloud.graph_server import GraphServer, graph_server
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.testing import FakeContext


@pytest.fixture
async def graph() -> AsyncIterator[GraphServer]:
    """Yield a server that speaks as Meta's Graph API."""
    async with graph_server() as running:
        yield running


@pytest.fixture
async def whatsapp() -> AsyncIterator[WhatsappCloudProvider]:
    """Yield the provider, opened."""
    provider = WhatsappCloudProvider()
    await provider.open(FakeContext())
    try:
        yield provider
    finally:
        await provider.close()
