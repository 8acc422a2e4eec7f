"""The common row of RCS and WhatsApp templates, which share one list."""

from __future__ import annotations

from datetime import datetime

from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row


@value(kw_only=True)
class MessageTemplateRow(Row):
    """
    An RCS or WhatsApp template in the list of templates, without its content (SPEC 4 A2, C-54).

    Only an RCS template has a `sender_profile`, only a WhatsApp template a `language`. For RCS,
    `category` is the `messageType` of requests.
    """

    id: str
    account_id: str
    channel: str
    sender_profile: str | None
    name: str
    language: str | None
    category: str
    status: str
    created_at: datetime
    updated_at: datetime


MESSAGE_TEMPLATES = ReadModel(
    row=MessageTemplateRow,
    name="message_templates",
    found_by=(
        FoundBy("message_templates_by_name", ("account_id", "channel", "name", "created_at", "id")),
        FoundBy("message_templates_by_account", ("account_id", "channel", "created_at", "id")),
    ),
    changing=("status", "updated_at"),
)
