"""The record of an account's retention (C-75)."""

from __future__ import annotations

from datetime import datetime

from ...domain.rate_limit import Duration
from ...domain.retention import AccountRetention, redecide, retention_decider
from ...domain.value import value
from .read_model import ReadModel, Row
from .record import Record


@value
class RetentionRow(Row):
    """The retention of an account, as durations are spelled; the worker looks through all of them."""

    id: str
    account_id: str
    pins: str | None
    messages: str | None
    events: str | None
    created_at: datetime


def retention_stream(account_id: str) -> str:
    """Return the id of an account's retention, which is the account's own with another beginning."""
    return f"{RETENTION.prefix}_{account_id.partition('_')[2] or account_id}"


def _row(stream: str, state: AccountRetention) -> RetentionRow:
    kept = state.kept
    return RetentionRow(
        id=stream,
        account_id=state.account_id,
        pins=_text(kept.pins),
        messages=_text(kept.messages),
        events=_text(kept.events),
        created_at=state.created_at,
    )


def _text(duration: Duration | None) -> str | None:
    return None if duration is None else str(duration)


RETENTION = Record(
    decider=retention_decider,
    prefix="ret",
    state=AccountRetention,
    redecide=redecide,
    read_model=ReadModel(
        row=RetentionRow, name="retentions", changing=("pins", "messages", "events")
    ),
    project=_row,
)
