"""
The arithmetic of the statistics: what a PIN's events add to the figures (C-80, C-103).

`facts.py` keeps the facts of a PIN that figures need, `counting.py` says which figures they add to, and
`times_to_verify.py` has the buckets of the times from a send to its verification.
"""

from __future__ import annotations

from .counting import PARTS_OF_ONE, Cost, Figures, Part, Place, amount_of, count, parts_of
from .facts import (
    End,
    OnChannel,
    PinFacts,
    Send,
    blocked,
    dispatched,
    erased,
    issued,
    reported,
    resent,
    superseded,
    verified,
)
from .times_to_verify import BOUNDS, bucket_of, quantile

__all__ = [
    "BOUNDS",
    "PARTS_OF_ONE",
    "Cost",
    "End",
    "Figures",
    "OnChannel",
    "Part",
    "PinFacts",
    "Place",
    "Send",
    "amount_of",
    "blocked",
    "bucket_of",
    "count",
    "dispatched",
    "erased",
    "issued",
    "parts_of",
    "quantile",
    "reported",
    "resent",
    "superseded",
    "verified",
]
