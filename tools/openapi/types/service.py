"""The health of the service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict


class Live(TypedDict):
    """The process lives."""

    status: Literal["live"]


class Ready(TypedDict):
    """The store takes writes."""

    status: Literal["ready"]
    log: NotRequired[Literal["forked", "damaged", "unsigned"]]


class NotReady(TypedDict):
    """The store does not take writes."""

    status: Literal["unavailable"]
    reason: str


NAMED: Mapping[str, Any] = {
    "Live": Live,
    "Ready": Ready,
    "NotReady": NotReady,
    "Document": {
        "type": "object",
        "properties": {"openapi": {"const": "3.1.0"}},
        "required": ["openapi", "info", "paths"],
    },
}
