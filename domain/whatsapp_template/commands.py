"""What a WhatsApp template is asked to do."""

from __future__ import annotations

from datetime import datetime

from ..value import value
from .content import TemplateDefinition


@value(kw_only=True)
class CreateWhatsappTemplate:
    """Create a template and put it up for approval."""

    at: datetime
    account_id: str
    definition: TemplateDefinition
