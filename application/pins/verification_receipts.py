"""
Receipts of verifications, with which third parties check that a right code was entered (C-83).

A receipt is made of what the verification has in hand, and is stored nowhere (D-460).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...domain.destination import canonical
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.pin import Pin
from ...domain.pin_template import pin_template_decider
from ...domain.pin_template.policy import PinPolicy
from ..errors import UnavailableError
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.listings import Missing
from ..ports.randomness import Randomness
from ..ports.receipt_signer import ReceiptSigner, Verification
from ..records.pin_template import PinTemplateRow

_NO_KEY = (
    "needs a receipt key, and this service was started without one: give all nodes on one PostgreSQL the"
    " same"
)


class VerificationReceipts:
    """Makes receipts; without a signer, there are none."""

    def __init__(self, signer: ReceiptSigner | None, randomness: Randomness, clock: Clock) -> None:
        self._signer = signer
        self._randomness = randomness
        self._clock = clock

    def check_policy(self, policy: PinPolicy) -> None:
        """Refuse a policy that asks for receipts, if this node cannot sign them (D-462)."""
        if policy.receipt is not None and self._signer is None:
            raise ValidationFailedError([FieldProblem("receipt", _NO_KEY)])

    def wanted(self, pin: Pin) -> bool:
        """
        Return whether the right code of this PIN is answered with a receipt.

        Nothing was sent to a test destination, so that a receipt would attest to nothing (D-463). Raises
        `UnavailableError` if this node lacks the key: another node may have it, and no attempt is spent.
        """
        if pin.receipt is None or pin.test:
            return False
        if self._signer is None:
            raise UnavailableError
        return True

    def about(self, pin_id: str, pin: Pin, position: int) -> Verification | None:
        """Return what the receipt of a verified PIN attests; None for a PIN without one."""
        if pin.receipt is None or not self.wanted(pin):
            return None
        return Verification(
            pin_id=pin_id,
            template_id=pin.template_id,
            destination=pin.destination,
            canonical=canonical(pin.destination),
            form=pin.receipt,
            channels=pin.may_have_arrived_on or pin.sent_on(pin.issue),
            position=position,
            at=self._clock.real(),
        )

    def sign(self, verification: Verification, issuer: str | None) -> str:
        """Return the receipt of a verification; `issuer` is the public URL, if one is known."""
        if self._signer is None:
            raise UnavailableError
        return self._signer.sign(verification, self._randomness.new_id("vrc"), issuer)

    def public_keys(self) -> Sequence[Mapping[str, str]]:
        """Return the public keys of receipts as JWKs; none without a signer."""
        return [] if self._signer is None else self._signer.public_keys()


async def template_with_receipts(journal: Journal) -> str | None:
    """Return the id of a template that asks for receipts and is not archived; None if there is none."""
    async for row in journal.every(PinTemplateRow, Missing("archived_at")):
        template = await journal.find(pin_template_decider, row.id)
        if template is not None and template.state.policy.receipt is not None:
            return row.id
    return None
