"""The types of the log's proofs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from tools.openapi.schemas import narrowed


class EventProof(TypedDict):
    """The proof that one event is in the log."""

    position: int
    version: int
    type: str
    name: str
    proof: str


class Evidence(TypedDict):
    """The proofs of a stream's events."""

    data: list[EventProof]


_FROM_ONE = {"type": "integer", "minimum": 1}
_SIZES: Mapping[str, Any] = {"from": _FROM_ONE, "to": _FROM_ONE}
# One of the documented names is none that an attribute can have.
Consistency = TypedDict("Consistency", {"from": int, "to": int, "proof": list[str]})

NAMED: Mapping[str, Any] = {
    "EventProof": narrowed(EventProof, position=_FROM_ONE, version=_FROM_ONE),
    "Evidence": Evidence,
    "Consistency": narrowed(Consistency, **_SIZES),
}
