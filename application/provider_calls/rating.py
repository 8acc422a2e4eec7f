"""Note in outcomes what a send costs by the price list of its channel account (C-103, D-408)."""

from __future__ import annotations

from attrs import evolve

from ...domain.channel import ChannelOutcome
from ..ports.channels import Message
from .guards import Guard


def rated(outcome: ChannelOutcome, guard: Guard | None, message: Message) -> ChannelOutcome:
    """
    Return an outcome with the price of a segment, if the guard's channel account has one.

    A refused send costs nothing, and needs none where the provider tells its price at once.
    """
    if guard is None or guard.prices is None or outcome.refused or outcome.price is not None:
        return outcome
    rate = guard.prices.price_of(message.destination)
    return outcome if rate is None else evolve(outcome, rate=rate)
