"""A notification: what a callback says of an event, before the edge spells it (C-53)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from attrs import frozen

from ...domain.callback_endpoint import CallbackType

Data = Mapping[str, Any]


@frozen
class Transition:
    """An event of a stream, and the aggregate's states before and after it."""

    stream: str
    event: Any
    before: Any
    after: Any


@frozen
class Notification:
    """
    The type of a callback, and its data in snake case.

    It holds no code, no content and no words of a provider; recipients are masked (C-32). The number
    of a person who writes in is whole, so that it can be answered (D-69).
    """

    type: CallbackType
    data: Data


# Returns what an event says to the account; None where it says nothing.
Notify = Callable[[Transition], Notification | None]
# Writes the body of a callback for an event of this time.
WriteCallback = Callable[[Notification, datetime], str]


def without_none(data: Data) -> Data:
    """Return the members that have a value."""
    return {name: value for name, value in data.items() if value is not None}
