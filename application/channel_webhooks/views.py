"""What was done about the address of a channel account, as operators see it (D-282)."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen


class WebhookStatus(StrEnum):
    """The provider has the address, people enter it, the provider refused it, or nobody knows."""

    SET = "set"
    MANUAL = "manual"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


@frozen(kw_only=True)
class WebhookView:
    """
    What was done about the address at which a channel account hears its provider.

    `steps` are left to people. A refusal has a `code` and a `message`; what nobody knows has a message.
    """

    callback_url: str
    status: WebhookStatus
    steps: tuple[str, ...] = ()
    code: str | None = None
    message: str | None = None
