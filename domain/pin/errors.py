"""The refusals of the PIN service (SPEC section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from ..channel import ChannelOutcome
from ..errors import DomainError, NotFoundError, RetryLaterError, camel

_REJECTED_EVERYWHERE = (
    "Every requested channel rejected the code. Check the channels' errors, then send again."
)
_NOBODY_KNOWS = (
    "No requested channel is known to have taken the code, but it may still arrive."
    f" Verify or resend the PIN that details.{camel('pin_id')} names."
)


class PinNotFoundError(NotFoundError):
    """No PIN has this id, or another account owns it (C-7, C-9)."""

    code = "pin_not_found"

    def __init__(self) -> None:
        super().__init__("No PIN has this id. Create a new one.")


class PinIncorrectError(DomainError):
    """The code is wrong, and the failed attempt is recorded (C-11); the message names what is left."""

    code = "pin_incorrect"

    def __init__(self, pin_id: str, status: str, attempts_remaining: int) -> None:
        self.attempts_remaining = attempts_remaining
        details = {"pin_id": pin_id, "status": status, "attempts_remaining": attempts_remaining}
        match attempts_remaining:
            case 0:
                # At zero remaining attempts there is one more guess: N attempts allow N + 1 guesses (C-14).
                details["last_guess"] = True
                left = "The next guess is the last: another wrong one blocks this PIN."
            case 1:
                left = "1 attempt is left."
            case _:
                left = f"{attempts_remaining} attempts are left."
        super().__init__(f"The code is wrong. {left}", details)


class ExpiryReason(StrEnum):
    """Why no code of a PIN can be verified: `details.reason` of the refusal."""

    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    ERASED = "erased"


_EXPIRED_BECAUSE = {
    ExpiryReason.EXPIRED: "The code has expired. Resend the PIN.",
    ExpiryReason.SUPERSEDED: (
        "A later PIN for this destination took the place of this one. Verify that one."
    ),
    ExpiryReason.ERASED: "The person of this PIN was erased. Create a new PIN for a new check.",
}


class PinExpiredError(DomainError):
    """The code has expired, a later PIN replaced it (C-15), or its person was erased (C-74)."""

    code = "pin_expired"

    def __init__(self, reason: ExpiryReason = ExpiryReason.EXPIRED) -> None:
        super().__init__(_EXPIRED_BECAUSE[reason], {"reason": str(reason)})


class PinBlockedError(DomainError):
    """All attempts are spent; the caller has to issue a new PIN."""

    code = "pin_blocked"

    def __init__(self) -> None:
        super().__init__("All attempts are spent. Create a new PIN.")


class PinAlreadyVerifiedError(DomainError):
    """The PIN was verified before; a PIN can be verified once."""

    code = "pin_already_verified"

    def __init__(self) -> None:
        super().__init__("This PIN is verified already. Create a new one for the next check.")


class ResendCooldownError(RetryLaterError):
    """The template's `resendCooldown` since the last send has not passed."""

    code = "resend_cooldown"


class DispatchFailedError(DomainError):
    """
    No requested channel is known to have accepted the code; the details list the outcomes.

    `pin_id` is set if at least one outcome is unknown: that PIN is live, because its code may have
    arrived (C-68).
    """

    code = "dispatch_failed"

    def __init__(self, outcomes: Sequence[ChannelOutcome], pin_id: str | None = None) -> None:
        self.outcomes = tuple(outcomes)
        self.pin_id = pin_id
        super().__init__(
            _REJECTED_EVERYWHERE if pin_id is None else _NOBODY_KNOWS,
            {
                **({} if pin_id is None else {"pin_id": pin_id}),
                "channels": [
                    {
                        "channel": str(outcome.channel),
                        "status": "rejected",
                        "error_code": outcome.error_code,
                        "error_message": outcome.error_message,
                    }
                    for outcome in outcomes
                ],
            },
        )
