"""What a WhatsApp template is asked to do."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from .content import TemplateDefinition


@frozen(kw_only=True)
class CreateWhatsappTemplate:
    """Create a template and put it up for approval."""

    at: datetime
    account_id: str
    definition: TemplateDefinition
