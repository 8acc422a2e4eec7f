"""Every kind of aggregate there is: what can be loaded, replayed and shown."""

from __future__ import annotations

from typing import Any

from ..domain.account import account_decider
from ..domain.api_key import api_key_decider
from ..domain.callback_endpoint import callback_endpoint_decider
from ..domain.channel_account import channel_account_decider
from ..domain.chat_rating import chat_rating_decider
from ..domain.consent import consent_decider
from ..domain.decider import Decider
from ..domain.dlt_template import dlt_template_decider
from ..domain.event import Event
from ..domain.fallback_configuration import fallback_configuration_decider
from ..domain.fallback_run import fallback_run_decider
from ..domain.legacy_user import legacy_user_decider
from ..domain.media import media_decider
from ..domain.message import message_decider
from ..domain.parked_receipt import parked_receipt_decider
from ..domain.pin import pin_decider
from ..domain.pin_template import pin_template_decider
from ..domain.rcs_template import rcs_template_decider
from ..domain.shared_content import shared_content_decider
from ..domain.short_link import short_link_decider
from ..domain.whatsapp_template import whatsapp_template_decider

# What an id begins with tells what it names: a PIN's id opens no template (C-7).
_KINDS: tuple[tuple[Decider[Any], str], ...] = (
    (account_decider, "acc_"),
    (api_key_decider, "key_"),
    (callback_endpoint_decider, "cbk_"),
    (channel_account_decider, "cha_"),
    (fallback_configuration_decider, "fbc_"),
    (pin_template_decider, "tpl_"),
    (pin_decider, "pin_"),
    (message_decider, "msg_"),
    (shared_content_decider, "cnt_"),
    (fallback_run_decider, "run_"),
    (parked_receipt_decider, "rcp_"),
    (short_link_decider, "lnk_"),
    (consent_decider, "opt_"),
    (dlt_template_decider, "dlt_"),
    (media_decider, "med_"),
    (rcs_template_decider, "rct_"),
    (whatsapp_template_decider, "wat_"),
    (legacy_user_decider, "lgu_"),
    (chat_rating_decider, "rtg_"),
)
DECIDERS = tuple(decider for decider, _ in _KINDS)
_PREFIXES = {decider.kind: prefix for decider, prefix in _KINDS}
_BY_EVENT = {kind: decider for decider in DECIDERS for kind in decider.events}


def is_id_of(decider: Decider[Any], stream: str) -> bool:
    """Whether this id can be one of the decider's aggregates."""
    return stream.startswith(_PREFIXES[decider.kind])


def decider_of(event: Event) -> Decider[Any]:
    """Give the decider whose streams this event stands in."""
    return _BY_EVENT[type(event)]
