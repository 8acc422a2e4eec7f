"""A listener with a folder of its own, and forms as raw bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving


@pytest.fixture
async def caller(serving: Serving) -> AsyncIterator[Caller]:
    """Yield a client of a service that may call loopback addresses."""
    async with serving(allow_private_urls=True) as client:
        yield client


@pytest.fixture
def port(caller: Caller) -> int:
    """Return the listener's port."""
    return int(caller.endpoint.make_url("/").port or 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Name the folder of the service's media."""
    return tmp_path / "media"
