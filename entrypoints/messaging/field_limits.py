"""Limits of fields that sends, fallbacks and legacy sends share."""

from __future__ import annotations

from ...domain.destination import MAX_LENGTH
from ...domain.dlt.template import MAX_ID_LENGTH
from ...domain.limits import Characters, OneLine
from ...domain.rcs_template.violations import MAX_SENDER_PROFILE
from ...domain.whatsapp_template.violations import MAX_NAME

a_sender = OneLine(1, MAX_LENGTH)
a_sender_profile = Characters(1, MAX_SENDER_PROFILE)
a_dlt_id_or_none = OneLine(0, MAX_ID_LENGTH)
a_template_name = OneLine(1, MAX_NAME)
a_language = OneLine(1, 16)
an_rcs_message_type = OneLine(1, 64)
