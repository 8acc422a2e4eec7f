"""The record of parked receipts: the subject of their provider's id. No list shows them."""

from __future__ import annotations

from ...domain.parked_receipt import ParkedReceipt, parked_receipt_decider, redecide
from .record import Record


def _holds(parked: ParkedReceipt) -> frozenset[str]:
    return frozenset({parked.subject} if parked.receipts else ())


PARKED_RECEIPT = Record(
    decider=parked_receipt_decider,
    prefix="rcp",
    state=ParkedReceipt,
    redecide=redecide,
    holds=_holds,
)
