"""Keeps the keys that sign heads in the log itself, so that the old key vouches for the new one (D-431)."""

from __future__ import annotations

from ...domain.log_history import LogHistory, log_history_decider, settle_keys
from ..caller import THE_WORKER
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.head_signer import HeadSigner
from ..records.log_history import LOG_HISTORY_STREAM


async def log_history(journal: Journal) -> LogHistory | None:
    """Return the history of the log; None before the first key."""
    loaded = await journal.find(log_history_decider, LOG_HISTORY_STREAM)
    return None if loaded is None else loaded.state


class KeepingLogKeys:
    """Adds the newest key of this node's signer to the history of the log, and retires those before it."""

    def __init__(self, journal: Journal, signer: HeadSigner, clock: Clock) -> None:
        self._journal = journal
        self._given = tuple((each.log_key, each.clock_key) for each in signer.keys)
        self._clock = clock

    async def settle(self) -> tuple[LogHistory, bool]:
        """Record the keys that sign from now on; return the history, and whether it changed."""
        return await retry_on_conflict(self._settle)

    async def _settle(self) -> tuple[LogHistory, bool]:
        found = await self._journal.find(log_history_decider, LOG_HISTORY_STREAM)
        now = self._clock.now()
        decided = settle_keys(None if found is None else found.state, now, self._given)
        if not decided.events and found is not None:
            return found.state, False
        after = change(log_history_decider, LOG_HISTORY_STREAM, found, decided)
        await self._journal.write(THE_WORKER, now, after)
        state: LogHistory = after.state
        return state, True
