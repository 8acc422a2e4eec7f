"""A provider `smtp`, and a mail server for it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.adapters.channels.smtp.mail_servers import Mailroom, aiosmtpd_server
from watchword.adapters.channels.smtp import SmtpProvider
from watchword.testing import FakeContext


@pytest.fixture
async def provider() -> AsyncIterator[SmtpProvider]:
    """Yield a provider, and close its connections."""
    provider = SmtpProvider()
    await provider.open(FakeContext())
    yield provider
    await provider.close()


@pytest.fixture
def room() -> Mailroom:
    """Return the mails that a server takes."""
    return Mailroom()


@pytest.fixture
async def port(room: Mailroom) -> AsyncIterator[int]:
    """Yield the port of a server without TLS."""
    async with aiosmtpd_server(room) as port:
        yield port
