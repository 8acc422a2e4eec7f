"""How often our processes look for cycles: hardly ever while they start, seldom later (D-119)."""

from __future__ import annotations

import gc

# More than a start leaves behind, which lives as long as the process; at the default of 700, looking
# through it again and again took a tenth of the start (profile).
_STARTING = 500_000
# Requests make few cycles; at the default of 700 the collector took 6 % of the time (profile).
_SERVING = 5_000


def collect_while_starting() -> None:
    """Look for cycles as rarely as a start, or a short command, can do with."""
    gc.set_threshold(_STARTING)


def collect_while_serving() -> None:
    """Look for cycles seldom, and never among what was made until now."""
    gc.freeze()
    gc.set_threshold(_SERVING, 20, 20)
