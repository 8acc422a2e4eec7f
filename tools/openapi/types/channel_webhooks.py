"""The addresses at which providers post."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from watchword.application.channel_webhooks.views import WebhookStatus


class Webhook(TypedDict):
    """What was done about the address of a channel account."""

    callbackUrl: str
    status: WebhookStatus
    steps: list[str]
    code: NotRequired[str]
    message: NotRequired[str]


NAMED: Mapping[str, Any] = {"WebhookStatus": WebhookStatus, "Webhook": Webhook}
