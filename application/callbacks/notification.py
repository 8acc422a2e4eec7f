"""A notification: the content of a callback, before the edge spells it (C-53)."""

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

    It has no code, no content and no text of a provider; recipients are masked (C-32). The number of a
    person who writes in is complete, so that the account can answer (D-69).
    """

    type: CallbackType
    data: Data


# Return the notification of an event to its account; None without one.
Notify = Callable[[Transition], Notification | None]
# Write the body of a callback for an event of this time.
WriteCallback = Callable[[Notification, datetime], str]


def without_none(data: Data) -> Data:
    """Return the members that have a value."""
    return {name: value for name, value in data.items() if value is not None}
