"""Judge a typed code (D3)."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from attrs import frozen

from ...domain import pin as pins
from ...domain.conditions import Condition
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
from ...domain.test_destination import never_verified
from ..caller import Caller
from ..concurrency.keyed_queue import KeyedQueue
from ..errors import UnavailableError
from ..guard.guards import Guards, unchanged
from ..journal import CONTENTION_SECONDS, Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.code_hasher import CodeHasher, CodeKeyMissingError
from ..ports.event_store import Change, Loaded, PassMoved

_NO_CONDITIONS: tuple[Condition, ...] = ()


@frozen(kw_only=True)
class VerifiedPin:
    """A PIN after its right code was entered (SPEC 2.7, verify response)."""

    pin_id: str
    status: PinStatus
    attempts_remaining: int


class VerifyingPins:
    """
    Compares guesses with codes, one append each.

    The verdict is recorded before the caller sees it. A verdict that loses a race is dropped and
    decided again, so parallel guesses never get more attempts than allowed (C-14).
    """

    def __init__(self, journal: Journal, hasher: CodeHasher, clock: Clock, guards: Guards) -> None:
        self._journal = journal
        self._guards = guards
        self._hasher = hasher
        self._clock = clock
        # Guesses on one PIN take turns: a hash for a verdict that loses its race is wasted.
        self._queue = KeyedQueue(patience=CONTENTION_SECONDS)

    async def verify(self, by: Caller, pin_id: str, typed: str) -> VerifiedPin:
        """
        Verify a code as the user typed it.

        Raises, in this order: `ValidationFailedError` (no attempt is spent), `PinNotFoundError`,
        `PinAlreadyVerifiedError`, `PinBlockedError`, `RateLimitedError`, `PinExpiredError`; then
        `PinIncorrectError`, or `PinBlockedError` for the guess that blocks. `UnavailableError`
        means that there is no verdict and no attempt is spent.
        """
        # Measured as typed, because capitals can be longer than small letters.
        if not 1 <= len(typed.strip()) <= MAX_TYPED_LENGTH:
            raise ValidationFailedError(
                [FieldProblem("pin", f"must have 1 to {MAX_TYPED_LENGTH} characters")]
            )
        code = normalized(typed)
        attempt = partial(self._attempt, by, pin_id, code)
        return await self._queue.take(pin_id, partial(retry_on_conflict, attempt))

    async def _attempt(
        self, by: Caller, pin_id: str, code: str, *, in_use: bool = False
    ) -> VerifiedPin:
        now = self._clock.now()

        async def judge(
            loaded: Loaded[Pin] | None,
        ) -> tuple[Decision, Change, tuple[Condition, ...]]:
            if loaded is None or loaded.state.account_id != by.account_id:
                raise PinNotFoundError
            pin = loaded.state
            matched, conditions = False, _NO_CONDITIONS
            if pins.looks_at_code(pin, now):
                matched, conditions = await self._matched(pin_id, pin, code, now, in_use=in_use)
            decision = pins.verify(pin, VerifyPin(at=now, pin_id=pin_id, matched=matched))
            return decision, change(pin_decider, pin_id, loaded, decision), conditions

        decision, after, conditions = await self._journal.decide_on_recalled(
            pin_decider, pin_id, judge
        )
        try:
            await self._journal.write(by, now, after, conditions=conditions)
        except PassMoved:
            return await self._attempt(by, pin_id, code, in_use=True)
        match decision.events[-1]:
            case VerifyFailed(attempts_remaining=left):
                raise PinIncorrectError(pin_id, after.state.life.status, left)
            case PinBlocked():
                raise PinBlockedError
            case PinExpired():
                raise PinExpiredError
        return VerifiedPin(
            pin_id=pin_id,
            status=after.state.life.status,
            attempts_remaining=after.state.attempts_remaining,
        )

    async def _matched(
        self, pin_id: str, pin: Pin, code: str, now: datetime, *, in_use: bool
    ) -> tuple[bool, tuple[Condition, ...]]:
        """
        Return whether a guess equals the live code, and the conditions of this finding.

        Several people may know the code of a test destination, so it equals nothing once the destination
        is an ordinary one, or somebody verified a code that was sent there (D-404).
        """
        conditions = _NO_CONDITIONS
        if pin.test:
            guard = await self._guards.recall(pin.account_id)
            if in_use or guard.state.test_of(pin.person_id, now) is None:
                return False, (unchanged(guard),)
            conditions = (unchanged(guard), never_verified(pin.person_id))
        try:
            return await self._hasher.matches(pin_id, pin.issue, code, pin.code_hash), conditions
        except CodeKeyMissingError:
            # Another node may have the key: a right guess must not be counted as a wrong one.
            raise UnavailableError from None
