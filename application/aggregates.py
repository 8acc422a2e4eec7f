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
from ..domain.short_link import short_link_decider
from ..domain.whatsapp_template import whatsapp_template_decider

DECIDERS: tuple[Decider[Any], ...] = (
    account_decider,
    api_key_decider,
    callback_endpoint_decider,
    channel_account_decider,
    fallback_configuration_decider,
    pin_template_decider,
    pin_decider,
    message_decider,
    fallback_run_decider,
    parked_receipt_decider,
    short_link_decider,
    consent_decider,
    dlt_template_decider,
    media_decider,
    rcs_template_decider,
    whatsapp_template_decider,
    legacy_user_decider,
    chat_rating_decider,
)

# What an id begins with tells what it names: a PIN's id opens no template (C-7).
_PREFIXES = {
    account_decider.kind: "acc_",
    api_key_decider.kind: "key_",
    callback_endpoint_decider.kind: "cbk_",
    channel_account_decider.kind: "cha_",
    fallback_configuration_decider.kind: "fbc_",
    pin_template_decider.kind: "tpl_",
    pin_decider.kind: "pin_",
    message_decider.kind: "msg_",
    fallback_run_decider.kind: "run_",
    parked_receipt_decider.kind: "rcp_",
    short_link_decider.kind: "lnk_",
    consent_decider.kind: "opt_",
    dlt_template_decider.kind: "dlt_",
    media_decider.kind: "med_",
    rcs_template_decider.kind: "rct_",
    whatsapp_template_decider.kind: "wat_",
    legacy_user_decider.kind: "lgu_",
    chat_rating_decider.kind: "rtg_",
}
_BY_EVENT = {kind: decider for decider in DECIDERS for kind in decider.events}


def is_id_of(decider: Decider[Any], stream: str) -> bool:
    """Whether this id can be one of the decider's aggregates."""
    return stream.startswith(_PREFIXES[decider.kind])


def decider_of(event: Event) -> Decider[Any]:
    """Give the decider whose streams this event stands in."""
    return _BY_EVENT[type(event)]
