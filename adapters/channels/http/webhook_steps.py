"""Where people enter the address of a channel account at a provider with an HTTP API (D-282)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_BY_ITSELF = "Receipts need nothing: each message names the address."
_STEPS: Mapping[str, Sequence[str]] = {
    "twilio": (
        _BY_ITSELF,
        "For messages from people, open the number, or the Messaging Service under Integration, in Twilio's"
        " Console. Enter the address where a message comes in: Webhook, HTTP POST.",
    ),
    "infobip": (
        _BY_ITSELF,
        "For messages from people, open the number in Infobip's portal, and forward its messages to the"
        " address by HTTP.",
    ),
    "vonage": (
        _BY_ITSELF,
        "For messages from people, enter the address as the inbound webhook in Vonage's dashboard, for the"
        " Messages API: HTTP POST.",
    ),
    "kannel": (
        _BY_ITSELF,
        "For messages from people, add an sms-service to Kannel's configuration whose get-url is the address,"
        " with &from=%p&to=%P&text=%b&id=%I and max-messages = 0.",
    ),
}
_RECEIPTS = (
    "Receipts need nothing if the body, the query or a header has {{callback_url}}. Otherwise, enter the"
    " address at the provider for receipts."
)
_INBOUND = "Enter the address at the provider for messages from people."
_DEAF = "Nothing is to be entered: the config has neither receipt nor inbound."
_WITH_QUERY = (
    "The address is complete with its secret query, t=…, which the creation showed. Without it, every call is"
    " refused."
)


def webhook_steps(
    config: Mapping[str, Any], described: Mapping[str, Any], *, has_token: bool
) -> tuple[str, ...]:
    """Return the steps for a config; `described` is what it says, or what its preset stands for."""
    if "preset" in config:
        steps = [*_STEPS[config["preset"]]]
    else:
        known = (("receipt", _RECEIPTS), ("inbound", _INBOUND))
        steps = [words for name, words in known if name in described] or [_DEAF]
    return (*steps, _WITH_QUERY) if has_token else tuple(steps)
