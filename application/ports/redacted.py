"""Values that must not appear in logs."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Redacted(Struct, frozen=True):
    """A value with codes or personal data in it; its `repr` is the class name alone."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """Return no fields, because rich would otherwise show all fields of a struct."""
        return []
