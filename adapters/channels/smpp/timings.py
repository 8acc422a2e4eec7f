"""The seconds that a session waits, in one place; tests set shorter ones."""

from __future__ import annotations

from attrs import frozen


@frozen(kw_only=True)
class Timings:
    """
    The time limits and pauses of sessions, in seconds (D-269).

    `reach` is for a look-up and a connection, `bind` for all up to the bind, and `patience` is how long a
    send waits for it, and then for a place in the window. `first_pause` and `longest_pause` are those
    between attempts to bind; `stable` is the life of a session after which they begin anew. `response` is
    the time for the answer to a message, `enquire` that for the answer to enquire_link. `throttled` is the
    pause after a message that was too fast. `drain` is the time for answers that are still to come when a
    session is replaced, and `leave` that for the answer to unbind. A session that nobody stands by ends
    after `idle`. `look` is the pause between two looks at the channel accounts; a session is replaced from
    the age of `settled` on. `hear` is the pause before something is recorded again, and `pieces` that
    between two looks for long texts whose pieces do not come.
    """

    reach: float = 4.0
    bind: float = 8.0
    patience: float = 4.0
    first_pause: float = 1.0
    longest_pause: float = 60.0
    stable: float = 10.0
    response: float = 30.0
    enquire: float = 10.0
    throttled: float = 1.0
    drain: float = 2.5
    leave: float = 1.0
    idle: float = 60.0
    look: float = 5.0
    settled: float = 1.0
    hear: float = 1.0
    pieces: float = 15.0
