"""Every kind of aggregate there is: what can be loaded, replayed and shown."""

from __future__ import annotations

from typing import Any

from ..domain.account import account_decider
from ..domain.api_key import api_key_decider
from ..domain.channel_account import channel_account_decider
from ..domain.decider import Decider
from ..domain.event import Event
from ..domain.pin import pin_decider
from ..domain.pin_template import pin_template_decider

DECIDERS: tuple[Decider[Any], ...] = (
    account_decider,
    api_key_decider,
    channel_account_decider,
    pin_template_decider,
    pin_decider,
)

_BY_EVENT = {kind: decider for decider in DECIDERS for kind in decider.events}


def decider_of(event: Event) -> Decider[Any]:
    """Give the decider whose streams this event stands in."""
    return _BY_EVENT[type(event)]
