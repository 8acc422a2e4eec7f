"""The addresses that hear posts about channel accounts (C-34)."""

from __future__ import annotations

from collections.abc import Callable

# Returns the public address that hears posts about a channel account, if there is one.
CallbackUrlOf = Callable[[str], str | None]
