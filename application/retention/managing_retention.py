"""Set and show for how long an account keeps what ended (C-75)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...domain.retention import AccountRetention, Retention, retention_decider, set_retention
from ..caller import Caller
from ..journal import Journal, beginning, change, retry_on_conflict
from ..ports.clock import Clock
from ..records.retention import retention_stream
from .longest_windows import longest_window_of


class ManagingRetention:
    """Sets retentions; `resolve` finds an account by id or name, or raises `AccountNotFoundError`."""

    def __init__(
        self, journal: Journal, resolve: Callable[[Caller, str], Awaitable[str]], clock: Clock
    ) -> None:
        self._journal = journal
        self._resolve = resolve
        self._clock = clock

    async def get(self, by: Caller, id_or_name: str) -> Retention:
        """Return the retention of an account; raises `AccountNotFoundError`."""
        stream = retention_stream(await self._resolve(by, id_or_name))
        loaded = await self._journal.find(retention_decider, stream)
        return Retention() if loaded is None else loaded.state.kept

    async def set(self, by: Caller, id_or_name: str, wanted: Retention) -> Retention:
        """
        Replace the retention of an account whole.

        Raises `AccountNotFoundError`, and `ValidationFailedError` for what is too short.
        """
        account_id = await self._resolve(by, id_or_name)
        return await retry_on_conflict(lambda: self._set(by, account_id, wanted))

    async def _set(self, by: Caller, account_id: str, wanted: Retention) -> Retention:
        stream, now = retention_stream(account_id), self._clock.now()
        window = await longest_window_of(self._journal, account_id)
        loaded = await self._journal.find(retention_decider, stream)
        state: AccountRetention | None = None if loaded is None else loaded.state
        decision = set_retention(state, now, account_id, wanted, window)
        if decision.events:
            changed = (
                beginning(retention_decider, stream, decision)
                if loaded is None
                else change(retention_decider, stream, loaded, decision)
            )
            await self._journal.write(by, now, changed)
        return wanted
