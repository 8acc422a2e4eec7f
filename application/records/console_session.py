"""The record of a console session."""

from __future__ import annotations

from datetime import datetime

from ...domain.accounts.console_session import ConsoleSession, console_session_decider, redecide
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class ConsoleSessionRow(Row):
    """
    A session in the list of sessions, without its secret.

    `token_id` is absent for the environment's token. `ends_at` is the machine's time at which the session
    ends unused.
    """

    id: str
    token_id: str | None
    began_at: datetime
    used_at: datetime | None
    ends_at: datetime
    ended_at: datetime | None
    created_at: datetime


def console_session_row(stream: str, session: ConsoleSession) -> ConsoleSessionRow:
    """Return the row of a session."""
    return ConsoleSessionRow(
        id=stream,
        token_id=session.token_id,
        began_at=session.began_at,
        used_at=session.used_at,
        ends_at=session.ends_at,
        ended_at=session.ended_at,
        created_at=session.created_at,
    )


CONSOLE_SESSION = Record(
    decider=console_session_decider,
    prefix="cse",
    state=ConsoleSession,
    redecide=redecide,
    read_model=ReadModel(
        row=ConsoleSessionRow,
        name="console_sessions",
        found_by=(FoundBy("console_sessions_by_end", ("ended_at", "ends_at")),),
        changing=("used_at", "ends_at", "ended_at"),
    ),
    project=console_session_row,
)
