"""The provider `smpp` keeps the contract of channel providers, with an SMSC whose codec is not ours."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.adapters.channels.smpp.accounts import QUICK, config_of
from tests.adapters.channels.smpp.smsc import Smsc, Submit
from tests.adapters.channels.smtp.certificates import Authority
from watchword.adapters.channels.smpp import SmppProvider
from watchword.application.ports.channels import Message
from watchword.domain.channel import Channel
from watchword.testing import ChannelProviderContract

_UNKNOWN = "+447700900999"


def _take(submit: Submit) -> None:
    if submit.pdu.destination_addr == _UNKNOWN.removeprefix("+"):
        submit.respond(0x0B)
    else:
        submit.accept()


class _SmppContract(ChannelProviderContract):
    has_receipts = False
    smsc: Smsc

    @pytest.fixture
    def provider(self) -> SmppProvider:
        """Return a provider."""
        return SmppProvider(timings=QUICK)

    @pytest.fixture
    def rejected(self) -> Message:
        """Return an SMS to a number that the SMSC does not know."""
        return replace(self.message(Channel.SMS), destination=_UNKNOWN)

    @pytest.fixture
    def unreachable(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a config with a port on which nobody listens."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            return {**config, "port": free.getsockname()[1]}

    def taken(self, provider: SmppProvider) -> int:
        """Count the messages that the SMSC took, by their first parts."""
        return len(
            [
                each
                for each in self.smsc.submits
                if each.pdu.registered_delivery
                and each.pdu.destination_addr != _UNKNOWN.removeprefix("+")
            ]
        )


class TestTransceiver(_SmppContract):
    """The contract, over TLS, with one bind for both directions."""

    @pytest.fixture
    async def config(self, tmp_path: Path) -> AsyncIterator[Mapping[str, Any]]:
        """Yield a config with all its settings."""
        authority, ca_file = Authority(), tmp_path / "ca.pem"
        ca_file.write_bytes(authority.pem)
        async with Smsc(tls=authority.server(tmp_path)) as self.smsc:
            self.smsc.answer = _take
            yield config_of(
                self.smsc.port,
                systemType="SMS",
                window=20,
                sourceTon=5,
                sourceNpi=0,
                destTon=1,
                destNpi=1,
                tls=True,
                caFile=str(ca_file),
                bind="transceiver",
                encoding="gsm7",
                longMessages="udh16",
                idForm="same",
                dlt={"entityTag": 0x1400, "templateTag": 0x1401, "nul": False},
                enquireSeconds=30,
            )


class TestSeparateBinds(_SmppContract):
    """The contract, with a transmitter of its own."""

    @pytest.fixture
    async def config(self) -> AsyncIterator[Mapping[str, Any]]:
        """Yield a config without TLS."""
        async with Smsc() as self.smsc:
            self.smsc.answer = _take
            yield config_of(self.smsc.port, bind="separate")
