"""
Watchword: PIN verification and messages over SMS, WhatsApp and e-mail, with every step on record.

`watchword.open(...)` gives the whole service without HTTP; `watchword.domain` the pure rules alone.
Importing this package loads neither: names are looked up when they are used (C-44).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .domain.errors import DomainError as DomainError
    from .entrypoints.embedding import open as open  # noqa: A004  the documented name

__all__ = ["DomainError", "open"]

_HOMES = {"open": ".entrypoints.embedding", "DomainError": ".domain.errors"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name], __name__), name)
