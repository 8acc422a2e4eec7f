"""The records about the log itself: its one history, and each pruning and repair (D-430)."""

from __future__ import annotations

from ...domain.log_history import (
    LogHistory,
    Pruning,
    Repair,
    log_history_decider,
    pruning_decider,
    redecide,
    redecide_pruning,
    redecide_repair,
    repair_decider,
)
from .record import Record

LOG_HISTORY = Record(decider=log_history_decider, prefix="log", state=LogHistory, redecide=redecide)
PRUNING = Record(decider=pruning_decider, prefix="prn", state=Pruning, redecide=redecide_pruning)
REPAIR = Record(decider=repair_decider, prefix="rpr", state=Repair, redecide=redecide_repair)

# The one stream of a store's history.
LOG_HISTORY_STREAM = f"{LOG_HISTORY.prefix}_history"
