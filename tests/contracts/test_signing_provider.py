"""A third-party adapter keeps the contract of channel providers as ours do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from tests.fakes.signing import SECRET, SIGNATURE, SigningProvider, letter, receipt, signature
from watchword.application.ports.channels import Message
from watchword.domain.receipt import ReceiptStatus
from watchword.testing import MESSAGE, SignedReportsContract


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
        return replace(MESSAGE, destination="nobody")

    def arrive(self, provider: SigningProvider, provider_message_id: str) -> None:
        """Hand a message over."""
        provider.handed_over.add(provider_message_id)

    def worded(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None
    ) -> bytes:
        """Write a letter."""
        return letter(receipt(provider_message_id, status, error_code))

    def headers(self, body: bytes) -> Mapping[str, str]:
        """Sign it."""
        return {SIGNATURE: signature(body)}
