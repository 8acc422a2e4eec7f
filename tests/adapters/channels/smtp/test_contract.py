"""The provider `smtp` keeps the contract of channel providers, with a mail server of aiosmtpd's."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.adapters.channels.smtp.accounts import config_of
from tests.adapters.channels.smtp.certificates import Authority
from tests.adapters.channels.smtp.mail_servers import Mailroom, aiosmtpd_server
from watchword.adapters.channels.smtp import SmtpProvider
from watchword.application.ports.channels import Message
from watchword.domain.channel import Channel
from watchword.testing import ChannelProviderContract


class TestSmtpProvider(ChannelProviderContract):
    """The contract, over STARTTLS and with a login."""

    has_receipts = False
    counterpart_loggers = ("mail.log",)

    @pytest.fixture
    def provider(self, room: Mailroom) -> SmtpProvider:
        """Return a provider."""
        self.room = room
        return SmtpProvider()

    @pytest.fixture
    async def config(self, room: Mailroom, tmp_path: Path) -> AsyncIterator[Mapping[str, Any]]:
        """Yield a config with all its settings."""
        authority, ca_file = Authority(), tmp_path / "ca.pem"
        ca_file.write_bytes(authority.pem)
        context = authority.server(tmp_path)
        async with aiosmtpd_server(room, starttls=context, auth_required=True) as port:
            yield config_of(
                port,
                tls="starttls",
                username="orchid",
                password="s3cret",
                caFile=str(ca_file),
            )

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a mail to somebody whom the server does not know."""
        return replace(self.message(Channel.EMAIL), destination="nobody@example.com")

    @pytest.fixture
    def unreachable(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a config with a port on which nobody listens."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            return {**config, "port": free.getsockname()[1]}

    def taken(self, provider: SmtpProvider) -> int:
        """Count the mails that the server took."""
        return len(self.room.taken)
