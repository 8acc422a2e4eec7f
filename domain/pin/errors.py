"""What a PIN refuses (SPEC section 7, PIN service)."""

from __future__ import annotations

from collections.abc import Sequence

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
    """The code is wrong, and the failed attempt is recorded (C-11); the message says what is left."""

    code = "pin_incorrect"

    def __init__(self, pin_id: str, status: str, attempts_remaining: int) -> None:
        self.attempts_remaining = attempts_remaining
        details = {"pin_id": pin_id, "status": status, "attempts_remaining": attempts_remaining}
        match attempts_remaining:
            case 0:
                # None remaining is not the end: N attempts allow N + 1 guesses (C-14).
                details["last_guess"] = True
                left = "The next guess is the last: another wrong one blocks this PIN."
            case 1:
                left = "1 attempt is left."
            case _:
                left = f"{attempts_remaining} attempts are left."
        super().__init__(f"The code is wrong. {left}", details)


class PinExpiredError(DomainError):
    """The code is too old (`reason` expired), or a later PIN took its place (superseded, C-15)."""

    code = "pin_expired"

    def __init__(self, *, superseded: bool = False) -> None:
        if superseded:
            message = (
                "A later PIN for this destination took the place of this one. Verify that one."
            )
        else:
            message = "The code has expired. Resend the PIN."
        super().__init__(message, {"reason": "superseded" if superseded else "expired"})


class PinBlockedError(DomainError):
    """All attempts are spent; only a new PIN helps."""

    code = "pin_blocked"

    def __init__(self) -> None:
        super().__init__("All attempts are spent. Create a new PIN.")


class PinAlreadyVerifiedError(DomainError):
    """The PIN was verified before; it is good for one success."""

    code = "pin_already_verified"

    def __init__(self) -> None:
        super().__init__("This PIN is verified already. Create a new one for the next check.")


class ResendCooldownError(RetryLaterError):
    """The template's `resendCooldown` since the last send has not passed."""

    code = "resend_cooldown"


class DispatchFailedError(DomainError):
    """
    No requested channel took the code, as far as anybody knows; the outcomes stand in the details.

    `pin_id` where the outcome of at least one is unknown: that PIN is live, as its code may have
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
