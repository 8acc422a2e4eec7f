"""The stages of a PIN, one type per stage (SPEC section 3)."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from attrs import frozen


class PinStatus(StrEnum):
    """The statuses in answers (C-13); `DISPATCH_FAILED` is only used inside the history."""

    PENDING = "PENDING"
    VERIFIED = "VERIFIED"
    EXPIRED = "EXPIRED"
    BLOCKED = "BLOCKED"
    DISPATCH_FAILED = "DISPATCH_FAILED"


@frozen
class Pending:
    """The newest code can be verified."""

    status: ClassVar[PinStatus] = PinStatus.PENDING


@frozen
class Verified:
    """The right code was entered; final."""

    status: ClassVar[PinStatus] = PinStatus.VERIFIED


@frozen
class Blocked:
    """All attempts are spent; final."""

    status: ClassVar[PinStatus] = PinStatus.BLOCKED


@frozen
class Expired:
    """A call found the newest code expired; a resend makes the PIN pending again."""

    status: ClassVar[PinStatus] = PinStatus.EXPIRED


@frozen
class Superseded:
    """A later PIN is live instead; only the outcome of a dispatch in flight can make this one live again."""

    by: str
    expired: bool = False
    status: ClassVar[PinStatus] = PinStatus.EXPIRED


@frozen
class Erased:
    """The person was erased, and no code can be verified or sent any more (C-74); final."""

    status: ClassVar[PinStatus] = PinStatus.EXPIRED


@frozen
class DispatchFailed:
    """No channel accepted the first code; the caller never received the PIN's id."""

    status: ClassVar[PinStatus] = PinStatus.DISPATCH_FAILED


# In these stages, an acceptance of its newest code makes a PIN the live one.
REVIVABLE = (Pending, Expired, Superseded)
Life = Pending | Verified | Blocked | Expired | Superseded | DispatchFailed | Erased
