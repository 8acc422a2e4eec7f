"""
The decorator of values that live for one request.

These are commands, decisions, conditions, rows, and values of requests for PINs (D-121). The type
checker treats them as immutable, like `attrs.frozen`. At run time they are plain, because a frozen
object takes twice as long to make. Values that are kept and shared, such as events and states, are
frozen at run time too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attrs import frozen as value
else:
    from functools import partial

    from attrs import define
    from attrs.setters import NO_OP

    value = partial(define, unsafe_hash=True, on_setattr=NO_OP)

__all__ = ["value"]
