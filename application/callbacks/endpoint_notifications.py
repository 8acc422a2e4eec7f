"""The callback of a test, which its endpoint alone is sent (D-511)."""

from __future__ import annotations

from ...domain.callback_endpoint import CallbackType
from .notification import Notification, Transition


def tested(transition: Transition) -> Notification:
    """Return what a tested endpoint is told: its own id."""
    return Notification(CallbackType.CALLBACK_TEST, {"callback_id": transition.stream})
