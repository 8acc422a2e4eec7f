"""A console session: an operator who looks at the console in a browser (C-85, D-491)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from ..decider import Decider, Decision, as_the_first, begun
from ..event import Event, secret

# A session ends so long after its last recorded use, and so long after its begin.
IDLE = timedelta(minutes=30)
LONGEST = timedelta(hours=8)
# The last use of a session is recorded at most this often (D-491).
LAST_USE_EVERY = timedelta(minutes=1)


@frozen(kw_only=True)
class ConsoleSessionBegun(Event):
    """
    An operator logged in to the console with a token.

    `began_at` is the machine's time, which a sandbox cannot move. `token_id` is absent for the
    environment's token; its `token_mark` is then the token's fingerprint.
    """

    began_at: datetime
    token_id: str | None = None
    token_mark: str | None = secret(default=None)
    secret_hash: str = secret()


@frozen(kw_only=True)
class ConsoleSessionUsed(Event):
    """The session was used; recorded at most once a minute (D-491)."""

    used_at: datetime


@frozen(kw_only=True)
class ConsoleSessionEnded(Event):
    """The session was ended before its time: by its operator, or because the store was restored."""


LaterConsoleSessionEvent = ConsoleSessionUsed | ConsoleSessionEnded
ConsoleSessionEvent = ConsoleSessionBegun | LaterConsoleSessionEvent


@frozen(kw_only=True)
class ConsoleSession:
    """The state of a console session; `began_at` and `used_at` are the machine's times."""

    token_id: str | None
    token_mark: str | None = field(repr=False)
    secret_hash: str = field(repr=False)
    began_at: datetime
    created_at: datetime
    used_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def ends_at(self) -> datetime:
        """The machine's time at which the session ends if nobody uses it again."""
        return min((self.used_at or self.began_at) + IDLE, self.began_at + LONGEST)

    def open_at(self, real: datetime) -> bool:
        """Return whether the session is open at this time of the machine."""
        return self.ended_at is None and real < self.ends_at


def use(session: ConsoleSession, at: datetime, real: datetime) -> Decision:
    """Record a use if the last recorded use is at least a minute old and the session is open."""
    last = session.used_at or session.began_at
    if not session.open_at(real) or real - last < LAST_USE_EVERY:
        return Decision()
    return Decision((ConsoleSessionUsed(at=at, used_at=real),))


def end(session: ConsoleSession, at: datetime) -> Decision:
    """End a session; nothing happens when it was ended already."""
    if session.ended_at is not None:
        return Decision()
    return Decision((ConsoleSessionEnded(at=at),))


def begin(event: ConsoleSessionBegun) -> ConsoleSession:
    """Return the state after the first event."""
    return begun(ConsoleSession, event)


def evolve(session: ConsoleSession, event: LaterConsoleSessionEvent) -> ConsoleSession:
    """Apply a later event."""
    match event:
        case ConsoleSessionUsed():
            return attrs.evolve(session, used_at=event.used_at)
        case ConsoleSessionEnded():
            return attrs.evolve(session, ended_at=event.at)
        case _:
            assert_never(event)


def redecide(session: ConsoleSession | None, event: ConsoleSessionEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if session is None or isinstance(event, ConsoleSessionBegun):
        return as_the_first(session, event)
    match event:
        case ConsoleSessionUsed():
            return use(session, event.at, event.used_at)
        case ConsoleSessionEnded():
            return end(session, event.at)
        case _:
            assert_never(event)


console_session_decider: Decider[ConsoleSession] = Decider(
    "console_session", begin, (ConsoleSessionBegun,), evolve, get_args(LaterConsoleSessionEvent)
)
