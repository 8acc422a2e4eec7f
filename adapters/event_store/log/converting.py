"""Converts events to plain data and back."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, get_origin

from cattrs.gen import make_dict_unstructure_fn, override
from cattrs.preconf.msgspec import MsgspecJsonConverter, make_converter

from ....domain.channel import ChannelOutcome
from ....domain.event import Event
from ....domain.fallback_run import FallbackArmed
from ....domain.message import MessageReported
from ....domain.parked_receipt import ReceiptParked
from ....domain.pin import PinIssued, PinReported, PinResent
from ....domain.pin_template.policy import PinPolicy
from ....domain.rate_limit import Duration, Rate

# For a member that few events have; the others are stored without it (D-228).
_IF_ANY = override(omit_if_default=True)
_SENDS: frozenset[type[Event]] = frozenset({PinIssued, PinResent})
_REPORTS: frozenset[type[Event]] = frozenset({PinReported, MessageReported, ReceiptParked})


@lru_cache
def event_converter(types: frozenset[type[Event]]) -> MsgspecJsonConverter:
    """Return the converter between these events and plain data; building one takes 20 ms."""
    converter = make_converter(detailed_validation=False)
    for kind in (Rate, Duration):
        converter.register_unstructure_hook(kind, str)
        converter.register_structure_hook(kind, lambda text, to: to(text))
    # A set has no order of its own, and equal events are stored alike.
    converter.register_unstructure_hook_factory(_is_set, lambda _: sorted)
    converter.register_unstructure_hook(
        ChannelOutcome,
        make_dict_unstructure_fn(
            ChannelOutcome,
            converter,
            tried=_IF_ANY,
            segments=_IF_ANY,
            price=_IF_ANY,
            rate=_IF_ANY,
        ),
    )
    converter.register_unstructure_hook(
        PinPolicy, make_dict_unstructure_fn(PinPolicy, converter, receipt=_IF_ANY)
    )
    for event_type in types:
        # The envelope holds the event's time.
        leaving_out: dict[str, Any] = {"at": override(omit=True)}
        if event_type in _REPORTS:
            leaving_out |= {"segments": _IF_ANY, "price": _IF_ANY}
        if event_type in _SENDS:
            leaving_out["receipt"] = _IF_ANY
        if event_type is FallbackArmed:
            leaving_out["ttl_seconds"] = _IF_ANY
        converter.register_unstructure_hook(
            event_type, make_dict_unstructure_fn(event_type, converter, **leaving_out)
        )
    return converter


def _is_set(kind: Any) -> bool:
    return get_origin(kind) is frozenset
