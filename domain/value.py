"""
The decorator of values that each request makes and drops.

These are commands, decisions, conditions, rows, and what requests for PINs take (D-121). For the
type checker they are as immutable as `attrs.frozen` makes them, and plain at run time, where a frozen
class takes twice as long to make. What is kept and shared, as events and states are, is frozen there too.
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
