"""The story of a PIN, and the PIN as it was after each of its events."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from attrs import frozen

from ...domain.pin import Pin
from ..pins.views import VerificationView
from ..records import row_of
from ..records.pin import VerificationRow
from .story import Story


@frozen
class PinMoment:
    """A PIN after one of its events; `issue` numbers its code, `attempts` are those it began with."""

    step: int
    at: datetime
    view: VerificationView
    issue: int
    attempts: int


@frozen
class PinStory:
    """The events of a PIN, read at a time."""

    pin_id: str
    account_id: str
    story: Story
    read_at: datetime

    def moment(self, step: int) -> PinMoment:
        """
        Return the PIN after an event; after the newest one, as it is now.

        A pending PIN past its expiry is shown as expired at any moment (C-15).
        """
        pin: Pin = self.story.states(step)[self.pin_id]
        at = self.story.events[step - 1].event.at
        now = self.read_at if step == self.story.last else at
        row = cast(VerificationRow, row_of(self.pin_id, pin))
        return PinMoment(step, at, VerificationView.of(row, now), pin.issue, pin.attempts)
