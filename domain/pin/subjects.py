"""What one PIN alone can hold: a live code, and the ids by which providers know its codes."""

from __future__ import annotations

from ..channel import ChannelOutcome
from ..destination import canonical
from ..receipt import provider_message


def live_code(template_id: str, destination: str) -> str:
    """Name what only one PIN at a time may hold: the live code of a template and destination."""
    return f"live-code:{template_id}:{canonical(destination)}"


def known_as(outcome: ChannelOutcome) -> str | None:
    """Name the subject that a code holds once a provider took it; None where it gave no id."""
    if not outcome.accepted or not outcome.channel_account_id or not outcome.provider_message_id:
        return None
    return provider_message(outcome.channel_account_id, outcome.provider_message_id)
