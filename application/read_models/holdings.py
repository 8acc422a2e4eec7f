"""From the state of an aggregate to the subjects that it holds; a replay of the log gives the same."""

from __future__ import annotations

from typing import Any

from ...domain import rcs_template, whatsapp_template
from ...domain.account import Account, account_name
from ...domain.api_key import ApiKey, key_hash_subject
from ...domain.dlt_template import DltTemplate, dlt_template_name
from ...domain.fallback_configuration import FallbackConfiguration, fallback_name
from ...domain.legacy_user import LegacyUser, legacy_email
from ...domain.message import Message
from ...domain.parked_receipt import ParkedReceipt
from ...domain.pin import Expired, Pending, Pin, live_code
from ...domain.rcs_template import RcsTemplate
from ...domain.whatsapp_template import WhatsappTemplate


def held_by(state: Any) -> frozenset[str]:
    """Give what the conditions of all decisions so far leave in the hands of this aggregate."""
    match state:
        case Account(name=name):
            return frozenset({account_name(name)})
        case ApiKey(revoked_at=None, key_hash=key_hash):
            return frozenset({key_hash_subject(key_hash)})
        case FallbackConfiguration(account_id=account, fallback_id=word):
            return frozenset({fallback_name(account, word)})
        case DltTemplate(removed_at=None, account_id=account, template_id=template):
            return frozenset({dlt_template_name(account, template)})
        case RcsTemplate(account_id=account, sender_profile=profile, name=name):
            return frozenset({rcs_template.template_name(account, profile, name)})
        case WhatsappTemplate(account_id=account, name=name, language=language):
            return frozenset({whatsapp_template.template_name(account, name, language)})
        case LegacyUser(removed_at=None, email=email):
            return frozenset({legacy_email(email)})
        # Who is superseded, verified, blocked or reached nobody has given the code up (C-15).
        case Pin(life=Pending() | Expired(), template_id=template, destination=destination):
            return frozenset({live_code(template, destination), *state.sends})
        case Pin():
            return frozenset(state.sends)
        case Message(known_as=str(subject)):
            return frozenset({subject})
        case ParkedReceipt(receipts=(_, *_), subject=subject):
            return frozenset({subject})
        case _:
            return frozenset()
