"""Commands of a WhatsApp template."""

from __future__ import annotations

from datetime import datetime

from ..value import value
from .content import TemplateDefinition


@value(kw_only=True)
class CreateWhatsappTemplate:
    """Create a template and submit it for approval."""

    at: datetime
    account_id: str
    definition: TemplateDefinition
