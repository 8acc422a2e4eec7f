"""Close dispatches whose process died between the code and its outcome (C-15)."""

from __future__ import annotations

from functools import partial

from ..domain import pin as pins
from ..domain.pin import pin_decider
from .caller import WORKER, Caller
from .errors import UnavailableError
from .journal import Journal, change, settled
from .ports.clock import Clock
from .ports.event_store import Due, DueKind
from .ports.randomness import Randomness

BATCH = 100


class RecoveringDispatches:
    """Records `unknown` for every channel of an orphaned dispatch; nobody sends it again."""

    kind = DueKind.ORPHANED_DISPATCH

    def __init__(self, journal: Journal, clock: Clock, randomness: Randomness) -> None:
        self._journal = journal
        self._clock = clock
        self._randomness = randomness

    async def run_due(self) -> int:
        """Recover what is due by now, at most 100, and give how many."""
        due = await self._journal.due(self.kind, self.kind.now(self._clock), BATCH)
        failed = None
        for each in due:
            try:
                await settled(partial(self._recover, each))
            except UnavailableError:
                raise
            except Exception as error:
                # One that cannot be read must not keep the others behind it waiting.
                failed = error
        if failed is not None:
            raise failed
        return len(due)

    async def _recover(self, due: Due) -> None:
        now = self._clock.now()
        loaded = await self._journal.load(pin_decider, due.stream)
        by = Caller(loaded.state.account_id, WORKER, self._randomness.new_id("req"))
        decision = pins.recover_dispatch(
            loaded.state, pins.RecoverDispatch(at=now, issue=due.number)
        )
        changes = (change(pin_decider, due.stream, loaded, decision),) if decision.events else ()
        await self._journal.write(by, now, *changes, done=(due,))
