"""The provider `http` keeps the contract of channel providers, with a config that describes an API."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from watchword.adapters.channels.http import HttpProvider
from watchword.application.ports.channels import Message
from watchword.domain.channel import Channel
from watchword.testing import (
    ChannelProviderContract,
    FaultyHttp,
    HttpAnswer,
    HttpProviderContract,
    HttpRequest,
)

UNKNOWN_NUMBER = "+910000000000"


class TestHttpProvider(ChannelProviderContract, HttpProviderContract):
    """The contract, for sends and for the answers of an API."""

    has_receipts = False

    @pytest.fixture
    def provider(self) -> HttpProvider:
        """Return a provider."""
        self.ids = 0
        return HttpProvider()

    @pytest.fixture
    async def config(self, provider: HttpProvider) -> AsyncIterator[Mapping[str, Any]]:
        """Yield a config with all settings of a send."""
        async with FaultyHttp(self.answer) as theirs:
            yield {
                "method": "POST",
                "url": f"{theirs.url}/v1/{{{{reference}}}}",
                "query": {"ttl": "{{ttl}}"},
                "headers": {"X-Key": "k3y"},
                "auth": {"basic": {"username": "shop", "password": "s3cret"}},
                "body": {"to": "{{destination}}", "text": "{{text}}", "from": "{{sender}}"},
                "accepted": {
                    "status": [200],
                    "idPath": "messages.0.id",
                    "whenPath": "/messages/0/state",
                    "in": ["queued"],
                },
                "rejected": {
                    "codePath": "code",
                    "messagePath": "words",
                    "faults": {"404": "recipient"},
                },
            }

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message to somebody whom the counterpart does not know."""
        return replace(self.message(Channel.SMS), destination=UNKNOWN_NUMBER)

    @pytest.fixture
    def unreachable(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a config with a port on which nobody listens."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            return {**config, "url": f"http://127.0.0.1:{free.getsockname()[1]}/send"}

    def answer(self, request: HttpRequest) -> HttpAnswer:
        """Answer as the described API does."""
        if request.json()["to"] == UNKNOWN_NUMBER:
            return HttpAnswer.json({"code": 404, "words": "No such number."}, status=400)
        self.ids += 1
        return HttpAnswer.json({"messages": [{"id": f"their-{self.ids}", "state": "queued"}]})

    def config_at(self, url: str) -> Mapping[str, Any]:
        """Return the shortest config of an API at an address."""
        return {
            "method": "POST",
            "url": url,
            "body": {"text": "{{text}}"},
            "accepted": {"idPath": "id"},
        }

    def acceptance(self) -> HttpAnswer:
        """Take a message."""
        return HttpAnswer.json({"id": "their-7"})

    def taken(self, provider: HttpProvider) -> int:
        """Count the messages that the counterpart took."""
        return self.ids
