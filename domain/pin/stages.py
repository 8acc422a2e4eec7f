"""Where a PIN stands, one type per stage of its life (SPEC section 3)."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from attrs import frozen


class PinStatus(StrEnum):
    """The words of the answers (C-13); `DISPATCH_FAILED` stands inside the history only."""

    PENDING = "PENDING"
    VERIFIED = "VERIFIED"
    EXPIRED = "EXPIRED"
    BLOCKED = "BLOCKED"
    DISPATCH_FAILED = "DISPATCH_FAILED"


@frozen
class Pending:
    """The newest code waits to be typed."""

    status: ClassVar[PinStatus] = PinStatus.PENDING


@frozen
class Verified:
    """The right code was typed; final."""

    status: ClassVar[PinStatus] = PinStatus.VERIFIED


@frozen
class Blocked:
    """All attempts are spent; final."""

    status: ClassVar[PinStatus] = PinStatus.BLOCKED


@frozen
class Expired:
    """The newest code was met after its time; a resend takes the PIN back to pending."""

    status: ClassVar[PinStatus] = PinStatus.EXPIRED


@frozen
class Superseded:
    """A later PIN is live instead; only a send of its own that is still in flight revives it."""

    by: str
    expired: bool = False
    status: ClassVar[PinStatus] = PinStatus.EXPIRED


@frozen
class DispatchFailed:
    """No channel took the first code; the caller never got the PIN's id."""

    status: ClassVar[PinStatus] = PinStatus.DISPATCH_FAILED


# Where the acceptance of its newest code makes a PIN the live one.
REVIVABLE = (Pending, Expired, Superseded)
Life = Pending | Verified | Blocked | Expired | Superseded | DispatchFailed
