"""Builds the use cases of PINs."""

from __future__ import annotations

from attrs import frozen

from ...application.guard.guarding import Guarding
from ...application.journal import Journal
from ...application.people.people import People
from ...application.pins.dispatching import Dispatching
from ...application.pins.issuing_pins import IssuingPins
from ...application.pins.managing_pin_templates import ManagingPinTemplates
from ...application.pins.resending_pins import ResendingPins
from ...application.pins.searching_verifications import SearchingVerifications
from ...application.pins.sending_pins import SendingPins
from ...application.pins.verification_receipts import VerificationReceipts
from ...application.pins.verifying_pins import VerifyingPins
from ...application.provider_calls import ProviderCalls
from ...application.test_destinations.fixed_codes import FixedCodes
from .ports import Ports


@frozen(kw_only=True)
class PinUseCases:
    """The use cases that send PINs, verify them, look them up, and manage their templates."""

    issuing: IssuingPins
    resending: ResendingPins
    verifying: VerifyingPins
    receipts: VerificationReceipts
    searching: SearchingVerifications
    templates: ManagingPinTemplates

    @classmethod
    def wire(
        cls,
        ports: Ports,
        journal: Journal,
        calls: ProviderCalls,
        people: People,
        guarding: Guarding,
        fixed_codes: FixedCodes,
    ) -> PinUseCases:
        """Build them on the given ports."""
        clock, randomness, hasher = ports.clock, ports.randomness, ports.hasher
        sending = SendingPins(journal, Dispatching(calls), clock)
        receipts = VerificationReceipts(ports.receipt_signer, randomness, clock)
        return cls(
            issuing=IssuingPins(
                journal, sending, hasher, randomness, clock, people, guarding, fixed_codes
            ),
            resending=ResendingPins(journal, sending, hasher, clock, guarding, fixed_codes),
            verifying=VerifyingPins(journal, hasher, clock, guarding, receipts),
            receipts=receipts,
            searching=SearchingVerifications(journal, clock, people),
            templates=ManagingPinTemplates(journal, receipts, randomness, clock),
        )
