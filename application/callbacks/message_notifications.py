"""The notifications of messages, of their short links and of their fallbacks."""

from __future__ import annotations

from typing import Any

from ...domain.callback_endpoint import CallbackType
from ...domain.destination import masked
from ...domain.fallback_run import FallbackFired, FallbackRun
from ...domain.message import Message, MessageDispatched, MessageReceived, MessageStatus
from ...domain.short_link import ShortLink
from .notification import Notification, Transition, without_none


def dispatched(transition: Transition) -> Notification | None:
    """Notify of the outcome of a message's dispatch."""
    event: MessageDispatched = transition.event
    message: Message = transition.after
    if event.outcome.accepted and message.status is MessageStatus.ACCEPTED:
        return _message(transition)
    return moved(transition)


def moved(transition: Transition) -> Notification | None:
    """Notify of a receipt or an end if it changes the status (C-22)."""
    if transition.before.status is transition.after.status:
        return None
    return _message(transition)


def received(transition: Transition) -> Notification:
    """Notify of a message from a person."""
    event: MessageReceived = transition.event
    return Notification(
        CallbackType.MESSAGE_INBOUND,
        {
            "message_id": transition.stream,
            "channel": str(event.channel),
            "from": event.sender,
            "to": event.recipient,
            "text": event.text,
        },
    )


def clicked(transition: Transition) -> Notification:
    """Notify of a click on a short link."""
    link: ShortLink = transition.after
    # The event lacks an address that carries a code (D-76).
    data = {"link_id": transition.stream, "message_id": link.message_id, "url": link.url}
    return Notification(CallbackType.MESSAGE_CLICKED, without_none({**data, "clicks": link.clicks}))


def fallback_fired(transition: Transition) -> Notification:
    """Notify of a fallback step that is sent."""
    event: FallbackFired = transition.event
    return _fallback(CallbackType.FALLBACK_FIRED, transition, sent_message_id=event.message_id)


def fallback_stood_down(transition: Transition) -> Notification:
    """Notify of a fallback that is no longer needed."""
    return _fallback(CallbackType.FALLBACK_STOOD_DOWN, transition, reason=transition.event.reason)


def fallback_rejected(transition: Transition) -> Notification:
    """Notify of a fallback step that cannot be sent."""
    error_code = transition.event.error_code
    return _fallback(CallbackType.FALLBACK_REJECTED, transition, error_code=error_code)


def _message(transition: Transition) -> Notification:
    message: Message = transition.after
    data = {
        "message_id": transition.stream,
        "channel": str(message.channel),
        "recipient": masked(message.recipient),
        "status": str(message.status),
        "error_code": message.history[-1].error_code if message.history else None,
        "run_id": message.run_id or message.sent_by_run,
        "cust_refs": dict(message.cust_refs),
    }
    return Notification(CallbackType(f"message.{message.status}"), without_none(data))


def _fallback(callback_type: CallbackType, transition: Transition, **more: Any) -> Notification:
    run: FallbackRun = transition.after
    step: int = transition.event.step
    planned = run.steps[step - 1].planned
    data = {
        "run_id": transition.stream,
        "fallback_id": run.fallback_id,
        "message_id": run.message_id,
        "step": step,
        "channel": str(planned.channel),
        "cust_refs": dict(planned.cust_refs),
    }
    return Notification(callback_type, {**data, **more})
