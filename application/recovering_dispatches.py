"""Close dispatches whose process died before their outcome was recorded (C-15, C-20)."""

from __future__ import annotations

from ..domain import pin as pins
from ..domain.message import message_decider
from ..domain.pin import pin_decider
from .caller import WORKER, Caller
from .due_work import handle_due
from .journal import Journal, change
from .messages.recovering_messages import RecoveringMessages
from .ports.clock import Clock
from .ports.event_store import Due, DueKind
from .ports.randomness import Randomness
from .records import is_id_of


class RecoveringDispatches:
    """Records `unknown` for every channel of a code's dispatch; passes messages on to their own recovery."""

    kind = DueKind.ORPHANED_DISPATCH

    def __init__(
        self,
        journal: Journal,
        messages: RecoveringMessages,
        clock: Clock,
        randomness: Randomness,
    ) -> None:
        self._journal = journal
        self._messages = messages
        self._clock = clock
        self._randomness = randomness

    async def run_due(self) -> int:
        """Recover the due dispatches, and return how many there were."""
        return await handle_due(self._journal, self._clock, self.kind, self._recover)

    async def _recover(self, due: Due) -> None:
        if is_id_of(message_decider, due.stream):
            await self._messages.recover(due)
        else:
            await self._recover_pin(due)

    async def _recover_pin(self, due: Due) -> None:
        now = self._clock.now()
        loaded = await self._journal.load(pin_decider, due.stream)
        by = Caller(loaded.state.account_id, WORKER, self._randomness.new_id("req"))
        decision = pins.recover_dispatch(
            loaded.state, pins.RecoverDispatch(at=now, issue=due.number)
        )
        changes = (change(pin_decider, due.stream, loaded, decision),) if decision.events else ()
        await self._journal.write(by, now, *changes, done=(due,))
