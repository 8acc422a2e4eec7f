"""The due rows of parked receipts, and the changes that match them (C-22)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ....domain.parked_receipt import MatchReceipt, ParkedReceipt, match, parked_receipt_decider
from ....domain.receipt import Receipt
from ...journal import Journal, change
from ...ports.event_store import Change, Due, DueKind

# A stream has one due row, which moves with every receipt that is parked there.
_ONLY = 1


@frozen
class Match:
    """
    Parked receipts, and the changes that remove them in the append that records them.

    `dropping` is the name of the key under which they are sealed.
    """

    receipts: tuple[Receipt, ...] = ()
    changes: tuple[Change, ...] = ()
    done: tuple[Due, ...] = ()
    dropping: tuple[str, ...] = ()


NONE_WAITED = Match()


def due_row(parked_id: str, parked: ParkedReceipt) -> tuple[Due, ...]:
    """Return the due row for dropping a stream's receipts; none without receipts."""
    if parked.drop_at is None:
        return ()
    return (Due(DueKind.PARKED_RECEIPT, parked_id, _ONLY, parked.drop_at),)


async def matched(journal: Journal, parked_id: str, holder: str, now: datetime) -> Match:
    """Hand a stream's receipts to the message or PIN `holder`; nothing if they are gone."""
    loaded = await journal.load(parked_receipt_decider, parked_id)
    decision = match(loaded.state, MatchReceipt(at=now, holder=holder))
    if not decision.events:
        return NONE_WAITED
    return Match(
        loaded.state.receipts,
        (change(parked_receipt_decider, parked_id, loaded, decision),),
        due_row(parked_id, loaded.state),
        (parked_id,),
    )
