"""
Records of lists and answers with everything masked that says something about a person (C-32, C-82, C-84).

Here is the closed list of the members that do (D-487). What events have inside them, events mark themselves
(`shown_events.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...application.caller import Caller
from ...domain.message import Direction
from .codec import unstructure
from .shown_events import masked_member

# Wherever they stand in a record.
_PERSONAL = frozenset(
    {
        "destination",
        "recipient",
        "referenceId",
        "custRefs",
        "tags",
        "email",
        "providerMessageId",
        "errorMessage",
        "lastAnswer",
    }
)
# What an operator wrote into a provider's settings is about no person, and its members have any name.
_NOT_INSIDE = frozenset({"config", "settings", "paramDefaults"})
# The members that are personal in records of one kind, and the member by which the kind is known.
# A medium, an endpoint, a short link, the request of a delivery, and the callback in it.
_BY_KIND = {"sha256": "name", "secret": "url", "clicks": "url", "body": "url", "timestamp": "data"}


def shown_to(by: Caller, record: Any) -> Any:
    """Return a record as the caller may see it: most auditors see nobody's number (C-84)."""
    shown = record if isinstance(record, dict) else unstructure(record)
    return masked(shown) if by.masked else shown


def masked(shown: Any) -> Any:
    """Return plain data of answers with what is personal masked, at any depth."""
    if isinstance(shown, list | tuple):
        return [masked(each) for each in shown]
    if not isinstance(shown, Mapping):
        return shown
    personal = _PERSONAL | {name for kind, name in _BY_KIND.items() if kind in shown}
    if shown.get("direction") == Direction.INBOUND:
        personal |= {"sender"}
    return {name: _masked(name, value, personal) for name, value in shown.items()}


def _masked(name: str, value: Any, personal: frozenset[str]) -> Any:
    if name in personal:
        return masked_member(name, value)
    return value if name in _NOT_INSIDE else masked(value)
