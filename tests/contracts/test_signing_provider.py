"""A third-party adapter keeps the contract of channel providers as ours do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.fakes.signing import SECRET, SIGNATURE, SigningProvider, letter, receipt, signature
from watchword.application.ports.channels import Message, Post
from watchword.domain.receipt import ReceiptStatus
from watchword.testing import SignedReportsContract, a_message


class TestSigningProvider(SignedReportsContract):
    """The contract, signed reports included."""

    @pytest.fixture
    def provider(self) -> SigningProvider:
        """Return the fake."""
        return SigningProvider()

    @pytest.fixture
    def config(self) -> Mapping[str, Any]:
        """Return the secret that both sides know."""
        return {"secret": SECRET}

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message to a number that does not exist."""
        return a_message(destination="nobody")

    def taken(self, provider: SigningProvider) -> int:
        """Count the parcels."""
        return len(provider.taken)

    def arrive(self, provider: SigningProvider, provider_message_id: str) -> None:
        """Hand a message over."""
        provider.handed_over.add(provider_message_id)

    def worded(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None
    ) -> bytes:
        """Write a letter."""
        return letter(receipt(provider_message_id, status, error_code))

    def headers(self, config: Mapping[str, Any], body: bytes) -> Mapping[str, str]:
        """Sign it."""
        return {SIGNATURE: signature(body, config["secret"])}

    def with_unknown_status(self) -> Post:
        """Write a letter with words that the courier has not used before."""
        return Post(body=letter({**receipt("their-7", ReceiptStatus.SENT), "is": "teleported"}))
