"""The addresses at which providers post, in the wire's spelling (D-282)."""

from __future__ import annotations

from typing import Any

from ...application.channel_webhooks.views import WebhookView
from .codec import unstructure


def shown(webhook: WebhookView) -> dict[str, Any]:
    """Return what was done about an address; without a refusal there is no `code`, and no `message`."""
    members: dict[str, Any] = unstructure(webhook)
    return {name: each for name, each in members.items() if each is not None}
