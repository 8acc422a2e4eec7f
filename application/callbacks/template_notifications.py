"""The notifications of reviews of message templates."""

from __future__ import annotations

from typing import Any

from ...domain.callback_endpoint import CallbackType
from ...domain.channel import Channel
from ...domain.rcs_template import RcsTemplate
from ...domain.whatsapp_template import WhatsappTemplate
from .notification import Notification, Transition, without_none


def rcs_reviewed(transition: Transition) -> Notification:
    """Notify of the review of an RCS template."""
    template: RcsTemplate = transition.after
    of_rcs = {
        "sender_profile": template.sender_profile,
        "message_type": str(template.message_type),
    }
    return _template(Channel.RCS, transition, **of_rcs)


def whatsapp_reviewed(transition: Transition) -> Notification | None:
    """Notify of the review of a WhatsApp template, unless its status stays what it was."""
    template: WhatsappTemplate = transition.after
    if transition.before.status is template.status:
        return None
    of_whatsapp = {"language": template.language, "category": str(template.category)}
    return _template(Channel.WHATSAPP, transition, **of_whatsapp)


def _template(channel: Channel, transition: Transition, **more: Any) -> Notification:
    template = transition.after
    data = {
        "template_id": transition.stream,
        "channel": str(channel),
        "name": template.name,
        **more,
        "status": str(template.status),
        "reason": template.reason,
    }
    return Notification(
        CallbackType(f"template.{str(template.status).lower()}"), without_none(data)
    )
