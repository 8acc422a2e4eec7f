"""The provider `whatsapp_cloud` keeps the contract of channel providers."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

import pytest

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    CONFIG,
    NOT_ON_WHATSAPP,
    GraphServer,
    a_whatsapp_message,
    error_body,
)
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.application.ports.channels import Message
from watchword.testing import ChannelProviderContract, HttpAnswer, HttpProviderContract


class TestWhatsappCloudProvider(ChannelProviderContract, HttpProviderContract):
    """The contract, for sends and for the answers of an API."""

    has_receipts = False

    @pytest.fixture
    def provider(self, graph: GraphServer) -> WhatsappCloudProvider:
        """Return a provider."""
        self.graph = graph
        return WhatsappCloudProvider()

    @pytest.fixture
    def config(self, graph: GraphServer) -> Mapping[str, Any]:
        """Return a config with all settings."""
        return graph.config

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message to somebody who is not on WhatsApp."""
        return a_whatsapp_message(destination=NOT_ON_WHATSAPP)

    @pytest.fixture
    def unreachable(self) -> Mapping[str, Any]:
        """Return a config with a port on which nobody listens."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            return self.config_at(f"http://127.0.0.1:{free.getsockname()[1]}")

    def taken(self, provider: Any) -> int:
        """Return how many messages the counterpart has taken."""
        return len(self.graph.taken)

    def config_at(self, url: str) -> Mapping[str, Any]:
        """Return the config of a channel account whose API is at an address."""
        return {**CONFIG, "baseUrl": url}

    def acceptance(self) -> HttpAnswer:
        """Return the answer of Meta when it takes a message."""
        return HttpAnswer.json({"messages": [{"id": "wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI"}]})

    def refusal(self) -> HttpAnswer:
        """Return the answer of Meta when it refuses a parameter."""
        return HttpAnswer.json(error_body(100, "Invalid parameter"), status=400)
