"""The sandbox's outbox in answers (C-39)."""

from __future__ import annotations

from typing import Any

from ...adapters.channels.sandbox_outbox import FilledRcsTemplate, SandboxMessage, SmsPayload
from ..wire.codec import unstructure

_OPTIONAL = ("subject", "messageId")


def shown_in_outbox(message: SandboxMessage) -> dict[str, Any]:
    """Return a message of the outbox, including its code."""
    shown: dict[str, Any] = unstructure(message)
    if isinstance(message.payload, FilledRcsTemplate):
        shown["payload"]["content"] = _given(shown["payload"]["content"])
    if isinstance(message.payload, SmsPayload):
        shown["payload"] = _given(shown["payload"])
    return {
        name: value for name, value in shown.items() if name not in _OPTIONAL or value is not None
    }


def _given(content: Any) -> Any:
    """Remove members that nobody gave, as the fetch of a template does."""
    match content:
        case dict():
            return {name: _given(part) for name, part in content.items() if part is not None}
        case list():
            return [_given(part) for part in content]
        case _:
            return content
