"""The port for observers of channel providers: logs and metrics."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol


class LeftOut(StrEnum):
    """The reason why a part of a provider's post was acknowledged and not recorded (C-70)."""

    UNREADABLE = "unreadable"
    INAPPLICABLE = "inapplicable"
    UNADDRESSED = "unaddressed"


class ProviderObserver(Protocol):
    """
    Observes parts of posts that are lost, breakers, look-ups that fail, and faults of adapters.

    Its methods run on the event loop. They return at once and raise nothing.
    """

    def left_out(
        self, channel_account_id: str, reason: LeftOut, error: str | None, number: int, /
    ) -> None:
        """Observe parts of a provider's post that were not recorded; `error` is the name of a class."""
        ...

    def breaker_turned(self, channel_account_id: str, state: str, seconds: float, /) -> None:
        """Observe that a breaker opened, for so many seconds, or closed (C-69)."""
        ...

    def templates_not_looked_up(self, channel_account_id: str, code: str, /) -> None:
        """Observe that a provider did not tell its decisions on templates (C-36)."""
        ...

    def adapter_failed(self, channel_account_id: str, call: str, error: BaseException, /) -> None:
        """Observe an exception that escaped an adapter's `call`; its text may quote a message."""
        ...
