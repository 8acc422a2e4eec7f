"""
The notification of each event (C-53).

`NOTIFICATIONS` is the whole table: every event with a callback has an entry here.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...domain.callback_endpoint import CallbackEndpointTested
from ...domain.event import Event
from ...domain.fallback_run import FallbackFired, FallbackRejected, FallbackStoodDown
from ...domain.guard import SendsFlagged, SendsRefused
from ...domain.message import MessageDispatched, MessageEnded, MessageReceived, MessageReported
from ...domain.pin import (
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
from ...domain.rcs_template import RcsTemplateApproved, RcsTemplateRejected
from ...domain.short_link import ShortLinkClicked
from ...domain.whatsapp_template import WhatsappTemplateApproved, WhatsappTemplateRejected
from . import (
    endpoint_notifications,
    guard_notifications,
    message_notifications,
    pin_notifications,
    template_notifications,
)
from .notification import Notify

NOTIFICATIONS: Mapping[type[Event], Notify] = {
    PinIssued: pin_notifications.issued,
    PinDispatched: pin_notifications.dispatched,
    PinResent: pin_notifications.resent,
    VerifyFailed: pin_notifications.verify_failed,
    PinVerified: pin_notifications.verified,
    PinBlocked: pin_notifications.blocked,
    PinReported: pin_notifications.reported,
    PinExpired: pin_notifications.expired,
    PinSuperseded: pin_notifications.superseded,
    MessageDispatched: message_notifications.dispatched,
    MessageReported: message_notifications.moved,
    MessageEnded: message_notifications.moved,
    MessageReceived: message_notifications.received,
    ShortLinkClicked: message_notifications.clicked,
    FallbackFired: message_notifications.fallback_fired,
    FallbackStoodDown: message_notifications.fallback_stood_down,
    FallbackRejected: message_notifications.fallback_rejected,
    RcsTemplateApproved: template_notifications.rcs_reviewed,
    RcsTemplateRejected: template_notifications.rcs_reviewed,
    WhatsappTemplateApproved: template_notifications.whatsapp_reviewed,
    WhatsappTemplateRejected: template_notifications.whatsapp_reviewed,
    SendsRefused: guard_notifications.counted,
    SendsFlagged: guard_notifications.counted,
    CallbackEndpointTested: endpoint_notifications.tested,
}
