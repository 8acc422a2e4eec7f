"""What no log may quote."""

from __future__ import annotations

from msgspec import Struct


class Unquoted(Struct, frozen=True):
    """A value whose text tells its kind alone: codes are in it, and much of people."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"
