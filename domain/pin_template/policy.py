"""The limits that a template sets for its PINs, with their defaults (SPEC 2.8, C-16)."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Any

from attrs import Attribute, field, frozen

from ..limits import FromTo
from ..rate_limit import Duration, Rate
from .pin_type import PinType

# The characters of a code.
SHORTEST_PIN, LONGEST_PIN = 4, 10


def above_zero(_: object, _attribute: Attribute[Any], value: Duration) -> None:
    """Check that a duration is not zero."""
    if value.span <= timedelta(0):
        raise ValueError("must be above zero")


class VerificationReceipt(StrEnum):
    """How a verification receipt names the destination: as it is, or by a salted digest (C-83)."""

    CLEAR = "clear"
    HASHED = "hashed"


@frozen(kw_only=True)
class PinPolicy:
    """
    How codes are made, how often they may be sent and guessed, and what a right guess is answered with.

    `pin_attempts` counts the wrong guesses before the one that blocks. Rates are sliding windows.
    With `receipt`, the answer to the right code has a verification receipt.
    """

    pin_length: int = field(default=6, validator=FromTo(SHORTEST_PIN, LONGEST_PIN))
    pin_type: PinType = PinType.NUMERIC
    pin_attempts: int = field(default=5, validator=FromTo(1, 100))
    pin_time_to_live: Duration = field(default=Duration("10m"), validator=above_zero)
    verify_pin_limit: Rate = Rate("1/3s")
    send_pin_per_template_limit: Rate = Rate("10000/1d")
    send_pin_per_phone_number_limit: Rate = Rate("5/1d")
    resend_cooldown: Duration = Duration("30s")
    receipt: VerificationReceipt | None = None
