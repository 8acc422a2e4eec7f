"""
Watchword: PIN verification over SMS, WhatsApp and e-mail, with every step on record.

`watchword.open(...)` gives the whole service without HTTP; `watchword.domain` the pure rules alone.
Importing this package loads neither: names are looked up when they are used (C-44).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .application.pins.template_channels import ChannelEntry as ChannelEntry
    from .application.ports.channels import Accepted as Accepted
    from .application.ports.channels import ChannelProvider as ChannelProvider
    from .application.ports.channels import Message as Message
    from .application.ports.channels import Rejected as Rejected
    from .application.ports.channels import Unknown as Unknown
    from .domain.errors import DomainError as DomainError
    from .entrypoints.embedding.service import Service as Service
    from .entrypoints.embedding.service import open as open  # noqa: A004  the documented name

_HOMES = {
    "Accepted": ".application.ports.channels",
    "ChannelEntry": ".application.pins.template_channels",
    "ChannelProvider": ".application.ports.channels",
    "DomainError": ".domain.errors",
    "Message": ".application.ports.channels",
    "Rejected": ".application.ports.channels",
    "Unknown": ".application.ports.channels",
    "Service": ".entrypoints.embedding.service",
    "open": ".entrypoints.embedding.service",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  a list, made from the one table


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name], __name__), name)
