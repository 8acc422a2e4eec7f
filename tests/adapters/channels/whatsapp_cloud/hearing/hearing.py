"""What is heard in posts of Meta's, and an independent library that reads them, too."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pywa.client import WhatsApp

from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    ASHA,
    CONFIG,
    OWN_NUMBER,
    OWN_PHONE,
    post_of,
)
from watchword.adapters.channels.whatsapp_cloud.hearing.reading_posts import (
    heard,
)
from watchword.application.ports.channels import (
    Heard,
    InboundMessage,
)

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)
AT = datetime(2025, 6, 8, 20, 59, 43, tzinfo=UTC)
THEIRS = WhatsApp(phone_id=OWN_PHONE, token="EAAJB-orchid")


async def hearing(document: object) -> Heard:
    """Return what is heard in a signed post."""
    return await heard(CONFIG, post_of(document), NOW)


def kept(text: str = "Is it ready?", **more: Any) -> InboundMessage:
    """Return the message from Asha as it is heard."""
    facts = {"provider_message_id": "wamid.HBgM", "sender": ASHA, "recipient": OWN_NUMBER}
    return InboundMessage(**{**facts, "text": text, **more})
