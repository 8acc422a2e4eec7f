"""The port for number plans: the country of a phone number, and whether it can exist."""

from __future__ import annotations

from typing import Protocol


class NumberPlan(Protocol):
    """
    Tells what the public number plans say of a number in its canonical form (C-102, C-77).

    It keeps no number, and answers at once: every send asks.
    """

    def country_of(self, canonical: str) -> str | None:
        """Return the country of a number (ISO 3166-1 alpha-2); None without one, as for satellites."""
        ...

    def possible(self, canonical: str) -> bool:
        """Return whether a number of this length can exist in its country."""
        ...
