"""What no log may quote."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Unquoted(Struct, frozen=True):
    """A value whose `repr` tells its kind alone: there are codes in it, and much about people."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """Give no fields to whoever shows values with rich, where a struct has all of them."""
        return []
