"""A provider's answers to a send, and to a log-in without one."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ....domain.channel import PROVIDER_UNKNOWN
from ....domain.price import Price


class Fault(StrEnum):
    """
    The part that caused a rejection; it decides whether another channel account is tried (C-69).

    Another account may do better after `ACCOUNT` (a log-in, a sender, a balance), `BUSY` (a rate, a
    queue) and `AWAY` (no connection). None does after `RECIPIENT` and `CONTENT`.
    """

    RECIPIENT = "recipient"
    CONTENT = "content"
    ACCOUNT = "account"
    BUSY = "busy"
    AWAY = "away"


class Accepted(Struct, frozen=True):
    """
    The provider accepted the message.

    `segments` is the number of SMS that it counts, and `price` the price of them all, where it says
    so (C-72).
    """

    provider_message_id: str
    segments: int | None = None
    price: Price | None = None


class Rejected(Struct, frozen=True):
    """
    The provider certainly did not take the message.

    `code` is in snake case and keeps the provider's own number (`twilio_21211`). `message` tells
    people what to do. `retry_after` is the number of seconds for which a busy provider asks.
    """

    code: str
    message: str
    fault: Fault = Fault.CONTENT
    retry_after: float | None = None


class Unknown(Struct, frozen=True):
    """
    Nobody knows whether the provider accepted the message. It is neither repeated nor called rejected.

    The connection was cut or the time ran out after the request had begun, or the answer cannot be
    read. `code` is `provider_unknown` or `provider_timeout` (C-68). `provider_message_id` is set if
    the adapter chose it itself.
    """

    code: str = PROVIDER_UNKNOWN
    message: str = ""
    provider_message_id: str | None = None


class Submitted(Struct, frozen=True):
    """
    The provider has a template that was submitted to it (C-99).

    `approved` is its decision; None while it reviews the template. `category` is the provider's. An
    `adopted` template was there before.
    """

    provider_template_id: str
    approved: bool | None = None
    reason: str | None = None
    category: str | None = None
    adopted: bool = False


class Connected(Struct, frozen=True):
    """A log-in worked; `detail` tells people where, such as `api.example.com:443 TLSv1.3` (C-67)."""

    detail: str = ""


class Webhook(Struct, frozen=True):
    """
    The address at which a provider is heard is set there by the adapter, or left to people.

    `steps` are sentences for people: what is left to do at the provider, or that nothing is.
    """

    is_set: bool = False
    steps: tuple[str, ...] = ()
