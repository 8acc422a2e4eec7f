"""The controls of a sandbox: its clock and its phones (C-39)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from attrs import frozen

from ...adapters.channels.sandbox import SandboxProvider
from ...adapters.clock import MovableClock
from ...application.concurrency.bounded_tasks import BoundedTasks
from ...application.due_work import DueWork
from ...application.ports.clock import CLOCK_OFFSET
from ...application.ports.event_store import EventStore, StoreUnavailable
from ...domain.errors import FieldProblem, ValidationFailedError
from ..settings import SettingsError
from ..worker import run_due
from .phones import SandboxPhones

_FOLLOW_SECONDS = 0.5


@frozen
class Sandbox:
    """The parts that only a sandbox has: its provider, its clock and its phones."""

    provider: SandboxProvider
    clock: MovableClock | None
    store: EventStore
    due_work: Sequence[DueWork]
    tasks: Sequence[BoundedTasks]
    phones: SandboxPhones

    async def advance(self, by: timedelta) -> datetime:
        """
        Move the clock forward, store its offset, do the work that is due, and return the new time.

        Pending receipts are delivered before, and those of the messages that it sends after. Other
        processes on the store follow within half a second (D-60).
        Raises `SettingsError` if the sandbox was opened with the caller's clock.
        """
        if self.clock is None:
            raise SettingsError("This sandbox runs on a clock of yours. Move that one.")
        await self.provider.deliver_pending()
        self.clock.catch_up(await kept_offset(self.store))
        try:
            self.clock.advance(by)
        except ValueError as error:
            raise ValidationFailedError([FieldProblem("seconds", str(error))]) from None
        await self.store.keep_setting(CLOCK_OFFSET, str(self.clock.offset.total_seconds()))
        # Work may cause more due work at once, such as the next step after a refused or failed one.
        some, known = True, await self.store.newest()
        while some:
            some = bool(await run_due(self.due_work, known))
            for each in self.tasks:
                await each.finish()
            some = bool(await self.provider.deliver_pending()) or some
        return self.clock.now()

    async def follow(self) -> None:
        """Follow moves of the clock by other processes on this store, until cancelled (C-39)."""
        while self.clock is not None:
            await asyncio.sleep(_FOLLOW_SECONDS)
            with suppress(StoreUnavailable):
                self.clock.catch_up(await kept_offset(self.store))


async def kept_offset(store: EventStore) -> timedelta:
    """Return the clock's offset that is stored."""
    return timedelta(seconds=float(await store.setting(CLOCK_OFFSET) or 0))
