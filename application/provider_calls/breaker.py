"""
The breaker of a channel account: it stops sends to a provider that does not answer (C-69).

A closed breaker lets all sends through. It opens after faults, for a while in which nothing is sent. Then
it is half open: one real send probes, and its result closes the breaker or opens it for twice as long.
"""

from __future__ import annotations

from collections import deque

from ..channel_accounts.health import BreakerState

# The faults in a row that open a breaker.
IN_A_ROW = 5
# The faults among the newest results that open it, if they came within so many seconds.
FAULTS, RESULTS, WITHIN = 10, 20, 30.0
# The seconds for which it opens at first, and at most.
SHORTEST, LONGEST = 5.0, 60.0


# On Python 3.11, each access to a member of an enumeration is a call.
_CLOSED, _OPEN, _HALF_OPEN = BreakerState.CLOSED, BreakerState.OPEN, BreakerState.HALF_OPEN


class Breaker:
    """
    Decides whether sends may go to a provider, by the results of earlier sends.

    It knows no clock: every call is given the machine's seconds, which never go back. A fault is a
    send without connection or with an unknown outcome. Every other answer shows that the provider
    answers. A send remembers the `era` in which it began; its result counts only while that lasts.
    So the results of old sends neither close an open breaker nor open it for longer.

    `calm` says that no fault is remembered; an answer then needs no record.
    """

    def __init__(self) -> None:
        self.state = _CLOSED
        self.era = 0
        self.calm = True
        # The seconds for which the breaker is open, or is to open next.
        self.pause = SHORTEST
        self._until = 0.0
        self._in_a_row = 0
        # The newest results since the first remembered fault: the time of a fault, None for an answer.
        self._results: deque[float | None] = deque(maxlen=RESULTS)

    def refuses(self, now: float) -> bool:
        """Return whether a send would be refused now; it takes no right to probe."""
        return self.state is _HALF_OPEN or (self.state is _OPEN and now < self._until)

    def admits(self, now: float) -> bool:
        """Return whether a send may begin now; the first one after the pause is the probe."""
        if self.state is _CLOSED:
            return True
        if self.refuses(now):
            return False
        self._turn(_HALF_OPEN)
        return True

    def answered(self, era: int) -> bool:
        """Take an answer of the provider; return whether it closed the breaker."""
        if era != self.era or self.state is _OPEN:
            return False
        if self.state is _HALF_OPEN:
            self.close()
            return True
        self._in_a_row = 0
        if not self.calm:
            self._results.append(None)
            self.calm = all(each is None for each in self._results)
        return False

    def failed(self, era: int, now: float) -> bool:
        """Take a fault of the provider; return whether it opened the breaker."""
        if era != self.era or self.state is _OPEN:
            return False
        if self.state is _HALF_OPEN:
            self._open(now, min(2 * self.pause, LONGEST))
            return True
        self.calm = False
        self._in_a_row += 1
        self._results.append(now)
        recent = sum(each is not None and now - each <= WITHIN for each in self._results)
        if self._in_a_row < IN_A_ROW and recent < FAULTS:
            return False
        self._open(now, SHORTEST)
        return True

    def abandoned(self, era: int, now: float) -> None:
        """Take back a send that ended without a result; after a probe, the next send is one."""
        if era == self.era and self.state is _HALF_OPEN:
            self._turn(_OPEN)
            self._until = now

    def close(self) -> bool:
        """Close the breaker and forget all faults; return whether it was open."""
        was_open = self.state is not _CLOSED
        self._turn(_CLOSED)
        self._forget()
        self.pause = SHORTEST
        return was_open

    def _open(self, now: float, pause: float) -> None:
        self._turn(_OPEN)
        self._forget()
        self.pause = pause
        self._until = now + pause

    def _turn(self, state: BreakerState) -> None:
        self.state = state
        self.era += 1

    def _forget(self) -> None:
        self.calm = True
        self._in_a_row = 0
        self._results.clear()
