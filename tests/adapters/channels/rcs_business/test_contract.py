"""The contract of channel providers, for RCS Business Messaging (C-72)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from tests.adapters.channels.rcs_business import google as theirs
from tests.adapters.channels.rcs_business.google import (
    TOKEN,
    WITHOUT_RCS,
    Google,
    acceptance_of,
    config_at,
    event,
    posted,
    signature,
)
from watchword.adapters.channels.rcs_business import RcsBusinessProvider
from watchword.adapters.channels.rcs_business.agent_messages import message_id_of
from watchword.application.ports.channels import ChannelProvider, Message, Post
from watchword.domain.channel import Channel
from watchword.domain.receipt import ReceiptStatus
from watchword.testing import (
    CODE,
    HttpAnswer,
    HttpProviderContract,
    HttpRequest,
    SignedReportsContract,
)

AWAY = "http://127.0.0.1:9"
URL = "https://pins.example.com/callbacks/cha_orchid"
KINDS = {
    ReceiptStatus.DELIVERED: "DELIVERED",
    ReceiptStatus.READ: "READ",
    ReceiptStatus.FAILED: "TTL_EXPIRATION_REVOKED",
}


class TestRcsBusiness(SignedReportsContract, HttpProviderContract):
    """RCS Business Messaging: a log-in, signed events, and revokes."""

    statuses = (*KINDS,)
    failed_code = "expired"
    # What has no data has no signature, either, and is refused as unsigned.
    unreadable_bodies: ClassVar[Sequence[bytes]] = tuple(
        map(posted, (b"", b"\xff", b"{", b"[" * 100_000, {"eventType": "READ"}, []))
    )

    @pytest.fixture
    def provider(self, google: Google) -> ChannelProvider:
        """Return the provider."""
        self._google = google
        return RcsBusinessProvider()

    @pytest.fixture
    def config(self, google: Google) -> Mapping[str, Any]:
        """Return a config at the fake Google."""
        return config_at(google.url)

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message to a number without RCS."""
        return replace(self.message(Channel.RCS), destination=f"+44770090{WITHOUT_RCS}")

    @pytest.fixture
    def unreachable(self) -> Mapping[str, Any]:
        """Return the config of a Google that is away."""
        return config_at(AWAY)

    def taken(self, provider: Any) -> int:
        """Return how many messages Google has."""
        return len(self._google.taken)

    def arrive(self, provider: Any, provider_message_id: str) -> None:
        """Deliver a message."""
        self._google.arrived.add(provider_message_id)

    def worded(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None
    ) -> bytes:
        """Return an event."""
        return posted(event(KINDS[status], provider_message_id))

    def with_unknown_status(self) -> Post:
        """Return an event that Google may add."""
        return Post(url=URL, body=posted(event("PONDERED", "their-7")))

    def headers(self, config: Mapping[str, Any], body: bytes) -> Mapping[str, str]:
        """Sign the data."""
        return signature(body, config["webhookToken"])

    def config_at(self, url: str) -> Mapping[str, Any]:
        """Return the config of a Google at an address."""
        return config_at(url)

    def acceptance(self) -> HttpAnswer:
        """Return the answer to the message that the suite sends second."""
        message = self.message(Channel.RCS, 2)
        name = f"phones/{message.destination}/agentMessages/{message_id_of(message.reference)}"
        return HttpAnswer.json({"name": name})

    def refusal(self) -> HttpAnswer:
        """Return Google's refusal of a content."""
        return theirs.error(400, "INVALID_ARGUMENT", f"wrong text: {CODE}")

    def answering(self, answer: HttpAnswer) -> Any:
        """Return a script that logs in first; the first message of the suite is always taken."""

        def script(request: HttpRequest) -> HttpAnswer:
            if request.path == "/token":
                return HttpAnswer.json({"access_token": "ya29.suite", "expires_in": 3_599})
            first = message_id_of(self.message(Channel.RCS).reference)
            is_first = first == request.query["messageId"]
            return acceptance_of(request) if is_first else answer

        return script


def test_the_token_of_another_webhook_signs_otherwise() -> None:
    """The counterpart's signature depends on the token, or the suite would prove nothing."""
    body = posted(event("READ", "their-7"))

    assert signature(body) != signature(body, f"{TOKEN}x")
