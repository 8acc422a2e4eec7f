"""
What callbacks tell: which event becomes which callback, and with what in it (C-53).

`TOLD` is the whole table; an event that gets a callback gets its line there. Nothing here tells a
code, a content or what a provider says in words, and where somebody is reached only masked (C-32); who
writes in is named, so that there can be an answer (D-69).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from attrs import frozen

from ...domain.channel import Channel, ChannelOutcome
from ...domain.destination import masked
from ...domain.event import Event
from ...domain.fallback_run import (
    FallbackFired,
    FallbackRejected,
    FallbackRun,
    FallbackStoodDown,
)
from ...domain.message import (
    Message,
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageStatus,
)
from ...domain.pin import (
    Pin,
    PinBlocked,
    PinDispatched,
    PinExpired,
    PinIssued,
    PinReported,
    PinResent,
    PinSuperseded,
    PinVerified,
    VerifyFailed,
)
from ...domain.rcs_template import RcsTemplate, RcsTemplateApproved, RcsTemplateRejected
from ...domain.short_link import ShortLink, ShortLinkClicked
from ...domain.whatsapp_template import (
    WhatsappTemplate,
    WhatsappTemplateApproved,
    WhatsappTemplateRejected,
)

Data = Mapping[str, Any]


@frozen
class Moment:
    """An event of a stream, and the aggregate before and after it."""

    stream: str
    event: Any
    before: Any
    after: Any


@frozen
class Told:
    """
    A callback: its type, and its data in snake case.

    How they are spelled is for the edge, which gives a `WriteCallback`.
    """

    type: str
    data: Data


# Gives the body of a callback that tells of an event of a time.
WriteCallback = Callable[[Told, datetime], str]


def _pin_issued(moment: Moment) -> Told:
    pin: Pin = moment.after
    return _pin("pin.issued", moment, channels=[str(each) for each in pin.channels], **_code(pin))


def _pin_resent(moment: Moment) -> Told:
    event: PinResent = moment.event
    channels = [str(each) for each in event.channels]
    return _pin("pin.resent", moment, channels=channels, **_code(moment.after))


def _pin_dispatched(moment: Moment) -> Told:
    event: PinDispatched = moment.event
    return _pin(
        "pin.dispatched",
        moment,
        issue=event.issue,
        channels=[_outcome(each) for each in event.outcomes],
    )


def _verify_failed(moment: Moment) -> Told:
    event: VerifyFailed = moment.event
    return _pin("pin.verify_failed", moment, attempts_remaining=event.attempts_remaining)


def _pin_reported(moment: Moment) -> Told | None:
    """Tell once that a receipt says so of the newest code on a channel; its life does not move (C-23)."""
    event: PinReported = moment.event
    if _arrived(moment.before, event) or not _arrived(moment.after, event):
        return None
    return _pin("pin.delivered", moment, issue=event.issue, channel=str(event.channel))


def _pin_expired(moment: Moment) -> Told:
    event: PinExpired = moment.event
    return _pin("pin.expired", moment, issue=event.issue)


def _pin_superseded(moment: Moment) -> Told:
    event: PinSuperseded = moment.event
    return _pin("pin.superseded", moment, superseded_by=event.by)


def _message_dispatched(moment: Moment) -> Told | None:
    event: MessageDispatched = moment.event
    message: Message = moment.after
    if event.outcome.accepted and message.status is MessageStatus.ACCEPTED:
        return _message(moment)
    return _message_moved(moment)


def _message_moved(moment: Moment) -> Told | None:
    """Tell of a receipt only where the state moves (C-22)."""
    if moment.before.status is moment.after.status:
        return None
    return _message(moment)


def _message_received(moment: Moment) -> Told:
    event: MessageReceived = moment.event
    return Told(
        "message.inbound",
        {
            "message_id": moment.stream,
            "channel": str(event.channel),
            "from": event.sender,
            "to": event.recipient,
            "text": event.text,
        },
    )


def _clicked(moment: Moment) -> Told:
    link: ShortLink = moment.after
    # An address that carries a code is not in the event (D-76).
    data = {"link_id": moment.stream, "message_id": link.message_id, "url": link.url}
    return Told("message.clicked", _said({**data, "clicks": link.clicks}))


def _fallback_fired(moment: Moment) -> Told:
    event: FallbackFired = moment.event
    return _fallback("fallback.fired", moment, sent_message_id=event.message_id)


def _fallback_stood_down(moment: Moment) -> Told:
    return _fallback("fallback.stood_down", moment, reason=moment.event.reason)


def _fallback_rejected(moment: Moment) -> Told:
    return _fallback("fallback.rejected", moment, error_code=moment.event.error_code)


def _rcs_template_reviewed(moment: Moment) -> Told:
    template: RcsTemplate = moment.after
    of_rcs = {
        "sender_profile": template.sender_profile,
        "message_type": str(template.message_type),
    }
    return _template(Channel.RCS, moment, **of_rcs)


def _whatsapp_template_reviewed(moment: Moment) -> Told:
    template: WhatsappTemplate = moment.after
    of_whatsapp = {"language": template.language, "category": str(template.category)}
    return _template(Channel.WHATSAPP, moment, **of_whatsapp)


TOLD: Mapping[type[Event], Callable[[Moment], Told | None]] = {
    PinIssued: _pin_issued,
    PinDispatched: _pin_dispatched,
    PinResent: _pin_resent,
    VerifyFailed: _verify_failed,
    PinVerified: lambda moment: _pin("pin.verified", moment),
    PinBlocked: lambda moment: _pin("pin.blocked", moment),
    PinReported: _pin_reported,
    PinExpired: _pin_expired,
    PinSuperseded: _pin_superseded,
    MessageDispatched: _message_dispatched,
    MessageReported: _message_moved,
    MessageEnded: _message_moved,
    MessageReceived: _message_received,
    ShortLinkClicked: _clicked,
    FallbackFired: _fallback_fired,
    FallbackStoodDown: _fallback_stood_down,
    FallbackRejected: _fallback_rejected,
    RcsTemplateApproved: _rcs_template_reviewed,
    RcsTemplateRejected: _rcs_template_reviewed,
    WhatsappTemplateApproved: _whatsapp_template_reviewed,
    WhatsappTemplateRejected: _whatsapp_template_reviewed,
}


def _pin(callback_type: str, moment: Moment, **more: Any) -> Told:
    pin: Pin = moment.after
    ids = {"pin_id": moment.stream, "template_id": pin.template_id}
    # The caller's own word for it, as a message has its custom references.
    reference = {} if pin.reference_id is None else {"reference_id": pin.reference_id}
    return Told(callback_type, {**ids, **reference, **more})


def _arrived(pin: Pin, event: PinReported) -> bool:
    receipt = pin.receipts.get(event.channel) if event.issue == pin.issue else None
    return receipt is not None and receipt.status.arrived


def _code(pin: Pin) -> Data:
    return {
        "issue": pin.issue,
        "expires_at": pin.expires_at,
        "attempts_remaining": pin.attempts_remaining,
    }


def _message(moment: Moment) -> Told:
    message: Message = moment.after
    data = {
        "message_id": moment.stream,
        "channel": str(message.channel),
        "recipient": masked(message.recipient),
        "status": str(message.status),
        "error_code": message.history[-1].error_code if message.history else None,
        "run_id": message.run_id or message.sent_by_run,
        "cust_refs": dict(message.cust_refs),
    }
    return Told(f"message.{message.status}", _said(data))


def _fallback(callback_type: str, moment: Moment, **more: Any) -> Told:
    run: FallbackRun = moment.after
    step: int = moment.event.step
    planned = run.steps[step - 1].planned
    data = {
        "run_id": moment.stream,
        "fallback_id": run.fallback_id,
        "message_id": run.message_id,
        "step": step,
        "channel": str(planned.channel),
        "cust_refs": dict(planned.cust_refs),
    }
    return Told(callback_type, {**data, **more})


def _template(channel: Channel, moment: Moment, **more: Any) -> Told:
    """Tell of a review of a template of either channel, as `more` tells such templates apart."""
    template = moment.after
    data = {
        "template_id": moment.stream,
        "channel": str(channel),
        "name": template.name,
        **more,
        "status": str(template.status),
        "reason": template.reason,
    }
    return Told(f"template.{str(template.status).lower()}", _said(data))


def _outcome(outcome: ChannelOutcome) -> Data:
    data = {
        "channel": str(outcome.channel),
        "status": str(outcome.status),
        "provider_message_id": outcome.provider_message_id,
        "error_code": outcome.error_code,
    }
    return _said(data)


def _said(data: Data) -> Data:
    return {name: value for name, value in data.items() if value is not None}
