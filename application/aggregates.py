"""Every kind of aggregate there is: what can be loaded, replayed and shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..domain import (
    account,
    api_key,
    callback_endpoint,
    channel_account,
    chat_rating,
    consent,
    dlt_template,
    fallback_configuration,
    legacy_user,
    media,
    parked_receipt,
    shared_content,
    short_link,
)
from ..domain.account import account_decider
from ..domain.api_key import api_key_decider
from ..domain.callback_endpoint import callback_endpoint_decider
from ..domain.channel_account import channel_account_decider
from ..domain.chat_rating import chat_rating_decider
from ..domain.consent import consent_decider
from ..domain.decider import Decider, Decision
from ..domain.dlt_template import dlt_template_decider
from ..domain.event import Event
from ..domain.fallback_configuration import fallback_configuration_decider
from ..domain.fallback_run import fallback_run_decider
from ..domain.fallback_run.redeciding import redecide as redecide_fallback_run
from ..domain.legacy_user import legacy_user_decider
from ..domain.media import media_decider
from ..domain.message import message_decider
from ..domain.message.redeciding import redecide as redecide_message
from ..domain.parked_receipt import parked_receipt_decider
from ..domain.pin import pin_decider
from ..domain.pin.redeciding import redecide as redecide_pin
from ..domain.pin_template import pin_template_decider
from ..domain.pin_template.redeciding import redecide as redecide_pin_template
from ..domain.rcs_template import rcs_template_decider
from ..domain.rcs_template.redeciding import redecide as redecide_rcs_template
from ..domain.shared_content import shared_content_decider
from ..domain.short_link import short_link_decider
from ..domain.whatsapp_template import whatsapp_template_decider
from ..domain.whatsapp_template.redeciding import redecide as redecide_whatsapp_template

# State and event in, and out comes what the command behind the event decides from that state.
Redecide = Callable[[Any, Any], Decision]

# What an id begins with tells what it names: a PIN's id opens no template (C-7). What an audit decides
# again stands beside it, so that no kind of aggregate can be forgotten there (D-157).
_KINDS: tuple[tuple[Decider[Any], str, Redecide], ...] = (
    (account_decider, "acc_", account.redecide),
    (api_key_decider, "key_", api_key.redecide),
    (callback_endpoint_decider, "cbk_", callback_endpoint.redecide),
    (channel_account_decider, "cha_", channel_account.redecide),
    (fallback_configuration_decider, "fbc_", fallback_configuration.redecide),
    (pin_template_decider, "tpl_", redecide_pin_template),
    (pin_decider, "pin_", redecide_pin),
    (message_decider, "msg_", redecide_message),
    (shared_content_decider, "cnt_", shared_content.redecide),
    (fallback_run_decider, "run_", redecide_fallback_run),
    (parked_receipt_decider, "rcp_", parked_receipt.redecide),
    (short_link_decider, "lnk_", short_link.redecide),
    (consent_decider, "opt_", consent.redecide),
    (dlt_template_decider, "dlt_", dlt_template.redecide),
    (media_decider, "med_", media.redecide),
    (rcs_template_decider, "rct_", redecide_rcs_template),
    (whatsapp_template_decider, "wat_", redecide_whatsapp_template),
    (legacy_user_decider, "lgu_", legacy_user.redecide),
    (chat_rating_decider, "rtg_", chat_rating.redecide),
)
DECIDERS = tuple(decider for decider, _, _ in _KINDS)
_PREFIXES = {decider.kind: prefix for decider, prefix, _ in _KINDS}
_REDECIDE = {decider.kind: redecide for decider, _, redecide in _KINDS}
_BY_EVENT = {kind: decider for decider in DECIDERS for kind in decider.events}


def is_id_of(decider: Decider[Any], stream: str) -> bool:
    """Whether this id can be one of the decider's aggregates."""
    return stream.startswith(_PREFIXES[decider.kind])


def decider_of(event: Event) -> Decider[Any]:
    """Give the decider whose streams this event stands in."""
    return _BY_EVENT[type(event)]


def redecided(decider: Decider[Any], state: Any, event: Event) -> Decision:
    """
    Decide again, from the state before an event, what the event says was decided.

    Raises what the decision raises, `DomainError` above all.
    """
    return _REDECIDE[decider.kind](state, event)
