"""What happened to the log itself: its keys, restores, prunings, and repairs of read models (C-81)."""

from .events import (
    EventsPruned,
    LogHistoryEvent,
    LogKeyAdded,
    LogKeyRetired,
    PrunedPart,
    PrunedRange,
    ReadModelsRepaired,
    StoreRestored,
)
from .history import (
    LogHistory,
    LogKey,
    add_key,
    declare_restored,
    log_history_decider,
    redecide,
    retire_key,
)
from .pruning import Pruning, drop, prune, pruning_decider, ranges_of, redecide_pruning
from .repair import Repair, redecide_repair, repair, repair_decider
from .settling_keys import KeyPair, settle_keys

__all__ = [
    "EventsPruned",
    "KeyPair",
    "LogHistory",
    "LogHistoryEvent",
    "LogKey",
    "LogKeyAdded",
    "LogKeyRetired",
    "PrunedPart",
    "PrunedRange",
    "Pruning",
    "ReadModelsRepaired",
    "Repair",
    "StoreRestored",
    "add_key",
    "declare_restored",
    "drop",
    "log_history_decider",
    "prune",
    "pruning_decider",
    "ranges_of",
    "redecide",
    "redecide_pruning",
    "redecide_repair",
    "repair",
    "repair_decider",
    "retire_key",
    "settle_keys",
]
