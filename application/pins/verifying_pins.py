"""Judge a typed code (D3)."""

from __future__ import annotations

from functools import partial

from attrs import evolve, field, frozen

from ...domain import pin as pins
from ...domain.decider import Decision
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.pin import (
    Pin,
    PinBlocked,
    PinBlockedError,
    PinExpired,
    PinExpiredError,
    PinIncorrectError,
    PinNotFoundError,
    PinStatus,
    VerifyFailed,
    VerifyPin,
    pin_decider,
)
from ...domain.pin.code import MAX_TYPED_LENGTH, normalized
from ..caller import Caller
from ..concurrency.keyed_queue import KeyedQueue
from ..errors import UnavailableError
from ..guard.checked import CheckedGuess
from ..guard.guarding import Guarding
from ..journal import CONTENTION_SECONDS, Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.code_hasher import CodeHasher, CodeKeyMissingError
from ..ports.event_store import Change, Loaded
from ..ports.receipt_signer import Verification
from .verification_receipts import VerificationReceipts


@frozen(kw_only=True)
class VerifiedPin:
    """
    A PIN after its right code was entered (SPEC 2.7, verify response).

    A template with `receipt` has one here, once it is signed: of what `attested` says (C-83).
    """

    pin_id: str
    status: PinStatus
    attempts_remaining: int
    receipt: str | None = field(default=None, repr=False)
    attested: Verification | None = field(default=None, repr=False)


class VerifyingPins:
    """
    Compares guesses with codes, one append each.

    The verdict is recorded before the caller sees it. A verdict that loses a race is dropped and
    decided again, so parallel guesses never get more attempts than allowed (C-14).
    """

    def __init__(
        self,
        journal: Journal,
        hasher: CodeHasher,
        clock: Clock,
        guarding: Guarding,
        receipts: VerificationReceipts,
    ) -> None:
        self._journal = journal
        self._guarding = guarding
        self._hasher = hasher
        self._clock = clock
        self._receipts = receipts
        # Guesses on one PIN take turns: a hash for a verdict that loses its race is wasted.
        self._queue = KeyedQueue(patience=CONTENTION_SECONDS)

    async def verify(self, by: Caller, pin_id: str, typed: str) -> VerifiedPin:
        """
        Verify a code as the user typed it.

        Raises, in this order: `ValidationFailedError` (no attempt is spent), `PinNotFoundError`,
        `PinAlreadyVerifiedError`, `PinBlockedError`, `RateLimitedError`, `PinExpiredError`, and
        `RateLimitedError` if too many wrong codes were tried for the destination, which spends no
        attempt; then `PinIncorrectError`, or `PinBlockedError` for the guess that blocks.
        `UnavailableError` means that there is no verdict and no attempt is spent.
        """
        # Measured as typed, because capitals can be longer than small letters.
        if not 1 <= len(typed.strip()) <= MAX_TYPED_LENGTH:
            raise ValidationFailedError(
                [FieldProblem("pin", f"must have 1 to {MAX_TYPED_LENGTH} characters")]
            )
        code = normalized(typed)
        attempt = partial(self._attempt, by, pin_id, code)
        return await self._queue.take(pin_id, partial(retry_on_conflict, attempt))

    async def _attempt(self, by: Caller, pin_id: str, code: str) -> VerifiedPin:
        now = self._clock.now()

        async def judge(
            loaded: Loaded[Pin] | None,
        ) -> tuple[Decision, Change, CheckedGuess | None]:
            if loaded is None or loaded.state.account_id != by.account_id:
                raise PinNotFoundError
            pin, checked = loaded.state, None
            command = VerifyPin(at=now, pin_id=pin_id, matched=False)
            if pins.looks_at_code(pin, now):
                if pin.receipt is not None:
                    self._receipts.wanted(pin)
                checked = await self._guarding.check_guess(pin, now)
                command = VerifyPin(
                    at=now,
                    pin_id=pin_id,
                    matched=checked.may_match and await self._matches(pin_id, pin, code),
                    guesses=checked.limit,
                    prefix=checked.prefix,
                )
            decision = pins.verify(pin, command)
            return decision, change(pin_decider, pin_id, loaded, decision), checked

        decision, after, checked = await self._journal.decide_on_recalled(
            pin_decider, pin_id, judge
        )
        required = () if checked is None else checked.required
        append = partial(self._journal.write, by, now, after, conditions=required)
        positions = await (append() if checked is None else self._guarding.append(checked, append))
        match decision.events[-1]:
            case VerifyFailed(attempts_remaining=left):
                raise PinIncorrectError(pin_id, after.state.life.status, left)
            case PinBlocked():
                raise PinBlockedError
            case PinExpired():
                raise PinExpiredError
        if not after.state.test:
            self._journal.remembered.verifies(after.state.person_id, now)
        verified = VerifiedPin(
            pin_id=pin_id,
            status=after.state.life.status,
            attempts_remaining=after.state.attempts_remaining,
        )
        if after.state.receipt is None:
            return verified
        attested = self._receipts.about(pin_id, after.state, positions[-1])
        return evolve(verified, attested=attested)

    def signed(self, verified: VerifiedPin, issuer: str | None) -> VerifiedPin:
        """Return a verified PIN with its receipt, if it has one; `issuer` is the public URL, if known."""
        if verified.attested is None:
            return verified
        receipt = self._receipts.sign(verified.attested, issuer)
        return evolve(verified, receipt=receipt, attested=None)

    async def _matches(self, pin_id: str, pin: Pin, code: str) -> bool:
        try:
            return await self._hasher.matches(pin_id, pin.issue, code, pin.code_hash)
        except CodeKeyMissingError:
            # Another node may have the key: a right guess must not be counted as a wrong one.
            raise UnavailableError from None
