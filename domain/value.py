"""
The decorator of values that one request makes and drops: commands, conditions, answers, rows.

They are as immutable as `attrs.frozen` makes them for the type checker, and plain at run time, where
a frozen class takes twice as long to make (D-121). Events and states, which are kept and shared, are
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
