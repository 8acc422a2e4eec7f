"""Resolve providers' ids in a code's outcomes that have a holder already (C-22, D-37)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import attrs
from attrs import frozen

from ...domain.channel import ChannelOutcome
from ...domain.parked_receipt import parked_receipt_decider
from ...domain.pin import EarlyReceipts, known_as
from ..journal import Journal
from ..messages.tracking.parked_receipts import matched
from ..ports.event_store import Change, Due
from ..records import is_id_of


@frozen(kw_only=True)
class Early:
    """Receipts that came before the outcome, the changes that match them, and their keys' names."""

    receipts: tuple[EarlyReceipts, ...] = ()
    changes: tuple[Change, ...] = ()
    done: tuple[Due, ...] = ()
    dropping: tuple[str, ...] = ()


NONE_EARLY = Early()


async def claimed(
    journal: Journal,
    pin_id: str,
    outcomes: Sequence[ChannelOutcome],
    held: Mapping[str, frozenset[str]],
    now: datetime,
) -> tuple[tuple[ChannelOutcome, ...], Early]:
    """
    Return the outcomes of a PIN's code that can be recorded, and the receipts that waited for them.

    `held` has the current holders of a subject. Parked receipts are matched. A message or another PIN
    keeps the id, and receives all later receipts.
    """
    recorded: list[ChannelOutcome] = []
    early = NONE_EARLY
    for outcome in outcomes:
        subject = known_as(outcome)
        if subject is None or subject not in held:
            recorded.append(outcome)
            continue
        (holder,) = held[subject]
        if is_id_of(parked_receipt_decider, holder):
            found = await matched(journal, holder, pin_id, now)
            recorded.append(outcome)
            early = Early(
                receipts=(*early.receipts, EarlyReceipts(subject, holder, found.receipts)),
                changes=(*early.changes, *found.changes),
                done=(*early.done, *found.done),
                dropping=(*early.dropping, *found.dropping),
            )
        else:
            recorded.append(attrs.evolve(outcome, provider_message_id=None))
    return tuple(recorded), early
