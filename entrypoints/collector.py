"""Thresholds of the garbage collector: very high during a start, high later (D-119)."""

from __future__ import annotations

import gc

# More objects than a start creates, which live as long as the process. With the default of 700,
# repeated collections took a tenth of the start (profile).
_STARTING = 500_000
# Requests create few cycles. With the default of 700 the collector took 6 % of the time (profile), and it
# looks at 10,000 objects in less than a millisecond.
_SERVING = 10_000


def collect_while_starting() -> None:
    """Set the threshold for a start or a short command."""
    gc.set_threshold(_STARTING)


def collect_while_serving() -> None:
    """Set the threshold for serving, and exempt all present objects from collection."""
    gc.freeze()
    gc.set_threshold(_SERVING, 20, 20)
