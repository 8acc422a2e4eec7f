"""The provider `whatsapp_cloud` keeps the contract of channel providers."""

from __future__ import annotations

import json
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
from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    failure,
    signed,
    statuses,
)
from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import status as a_status
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.application.ports.channels import Message, Post
from watchword.domain.receipt import ReceiptStatus
from watchword.testing import HttpAnswer, HttpProviderContract, SignedReportsContract


class TestWhatsappCloudProvider(SignedReportsContract, HttpProviderContract):
    """The contract, for sends, for the answers of an API and for signed posts."""

    failed_code = "131026"

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

    def worded(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None = None
    ) -> bytes:
        """Return the body of Meta's post with a status."""
        more = failure(int(error_code)) if error_code else {}
        return json.dumps(statuses(a_status(provider_message_id, status.value, **more))).encode()

    def headers(self, config: Mapping[str, Any], body: bytes) -> Mapping[str, str]:
        """Return the header that signs a body with the app's secret."""
        return signed(body, config["appSecret"])

    def with_unknown_status(self) -> Post:
        """Return a status that Meta does not have yet."""
        return Post(body=json.dumps(statuses(a_status(word="pondered"))).encode())
