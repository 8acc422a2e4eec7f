"""What no log may quote."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Unquoted(Struct, frozen=True):
    """A value whose text tells its kind alone: codes are in it, and much of people."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """Give nothing: who shows the locals of a traceback in colours asks here and not for the text."""
        return []
