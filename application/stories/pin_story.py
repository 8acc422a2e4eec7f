"""The story of a PIN, and the PIN as it was after each of its events."""

from __future__ import annotations

from collections.abc import Sequence
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
        """Return the PIN after an event, as `moments` does."""
        (found,) = self.moments(step)
        return found

    def moments(self, *steps: int) -> Sequence[PinMoment]:
        """
        Return the PIN after some events in ascending order; after the newest one, as it is now.

        A pending PIN past its expiry is shown as expired at any moment (C-15).
        """
        pins = [states[self.pin_id] for states in self.story.states(*steps)]
        return [self._moment(step, pin) for step, pin in zip(steps, pins, strict=True)]

    def _moment(self, step: int, pin: Pin) -> PinMoment:
        at = self.story.events[step - 1].event.at
        now = self.read_at if step == self.story.last else at
        row = cast(VerificationRow, row_of(self.pin_id, pin))
        return PinMoment(step, at, VerificationView.of(row, now), pin.issue, pin.attempts)
