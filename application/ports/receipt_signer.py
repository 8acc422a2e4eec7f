"""The port that signs verification receipts for third parties (C-83)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import field, frozen

from ...domain.channel import ChannelName
from ...domain.pin_template.policy import VerificationReceipt


@frozen(kw_only=True)
class Verification:
    """
    What a receipt attests: the right code of a PIN was entered, as the event at `position` records.

    `canonical` is the form of the destination under which limits count it. `channels` are those on which
    the code may have arrived. `at` is the machine's time.
    """

    pin_id: str
    template_id: str
    destination: str = field(repr=False)
    canonical: str = field(repr=False)
    form: VerificationReceipt
    channels: tuple[ChannelName, ...]
    position: int
    at: datetime


class ReceiptSigner(Protocol):
    """Signs receipts under the newest of its keys; third parties check them with the public ones."""

    def sign(self, verification: Verification, receipt_id: str, issuer: str | None) -> str:
        """Return a JWS with the claims of C-83; of a `hashed` form, the number cannot be read back."""
        ...

    def public_keys(self) -> Sequence[Mapping[str, str]]:
        """Return the public keys as JWKs (RFC 7517), the newest first."""
        ...
