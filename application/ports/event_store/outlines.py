"""Events as everybody may read them, for a follower that needs nothing of a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Outline(Struct, frozen=True):
    """
    The open line of an event: what it says without its personal and its secret members.

    `data` has the members in stored form, and `at` is the stored time. An event that was not asked for has
    its place alone, with an empty `type`.
    """

    position: int
    stream: str
    version: int
    type: str = ""
    at: str = ""
    account: str | None = None
    data: Mapping[str, Any] = {}
