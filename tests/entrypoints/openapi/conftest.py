"""Fixtures for tests of the document: the document, and a service with everything on."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from aiohttp.test_utils import TestClient, TestServer

from tests.entrypoints.openapi.described import Document
from tests.fakes.hashers import FakePasswordHasher
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.app import Exposure, build_app
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings

# Silence of the sandbox's provider is met in the walk; nothing else waits for it.
PROVIDER_TIMEOUT = 0.05


@pytest.fixture
def document() -> Document:
    """Return the document."""
    return Document.read()


@pytest.fixture
async def client() -> AsyncIterator[TestClient]:
    """Yield a client of a sandbox in memory, with the management API."""
    settings = Settings(
        store="memory://",
        sandbox=True,
        provider_timeout=PROVIDER_TIMEOUT,
        allow_private_urls=True,
        public_url="https://pins.example.com",
    )
    async with wired(settings, run_due=False, password_hasher=FakePasswordHasher()) as service:
        app = build_app(service, Exposure(admin_token=SANDBOX_ADMIN_TOKEN))
        async with TestClient(TestServer(app)) as opened:
            yield opened
