"""The port for all storage: one append writes everything in one transaction."""

from .append import (
    LEASE_SECONDS,
    Append,
    AppendExtras,
    Change,
    Checkpoint,
    Due,
    DueKind,
    Reservation,
)
from .refusals import (
    HeldByOthers,
    KeyAnswered,
    KeyInProgress,
    KeyReused,
    LeaseLost,
    Overtaken,
    RateReached,
    StoreRefusal,
    StoreUnavailable,
    StreamConflict,
    TotalReached,
)
from .store import (
    LONGEST_SLEEP,
    REPLAY_SECONDS,
    EventStore,
    Loaded,
    Recorded,
)

__all__ = [
    "LEASE_SECONDS",
    "LONGEST_SLEEP",
    "REPLAY_SECONDS",
    "Append",
    "AppendExtras",
    "Change",
    "Checkpoint",
    "Due",
    "DueKind",
    "EventStore",
    "HeldByOthers",
    "KeyAnswered",
    "KeyInProgress",
    "KeyReused",
    "LeaseLost",
    "Loaded",
    "Overtaken",
    "RateReached",
    "Recorded",
    "Reservation",
    "StoreRefusal",
    "StoreUnavailable",
    "StreamConflict",
    "TotalReached",
]
