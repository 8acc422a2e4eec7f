"""Tests of channel accounts in the wire's spelling (C-67)."""

from __future__ import annotations

from typing import Any

from ...application.channel_tests.views import ChannelTestView, StepResult
from .codec import unstructure


def shown(part: StepResult | ChannelTestView) -> dict[str, Any]:
    """Return a step or a whole test; a test without a provider's id has no such member."""
    members: dict[str, Any] = unstructure(part)
    if isinstance(part, ChannelTestView) and part.provider_message_id is None:
        del members["providerMessageId"]
    return members
