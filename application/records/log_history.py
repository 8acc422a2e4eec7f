"""The records about the log itself: its one history, and each pruning and repair (D-430)."""

from __future__ import annotations

from datetime import datetime

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
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value
class PruningRow(Row):
    """A step of retention: what it took last, and when all that it is about had ended."""

    id: str
    account_id: str
    what: str
    ended_before: datetime
    created_at: datetime


def _pruning_row(stream: str, pruning: Pruning) -> PruningRow:
    return PruningRow(
        id=stream,
        account_id=pruning.account_id,
        what=str(pruning.what),
        ended_before=pruning.ended_before,
        created_at=pruning.created_at,
    )


LOG_HISTORY = Record(decider=log_history_decider, prefix="log", state=LogHistory, redecide=redecide)
PRUNING = Record(
    decider=pruning_decider,
    prefix="prn",
    state=Pruning,
    redecide=redecide_pruning,
    # Prunings whose streams are to be dropped next.
    read_model=ReadModel(
        row=PruningRow,
        name="prunings",
        found_by=(FoundBy("prunings_by_account", ("account_id", "what", "ended_before")),),
        changing=("what",),
    ),
    project=_pruning_row,
)
REPAIR = Record(decider=repair_decider, prefix="rpr", state=Repair, redecide=redecide_repair)

# The one stream of a store's history.
LOG_HISTORY_STREAM = f"{LOG_HISTORY.prefix}_history"
