"""Seals the log: covers new events with hashes, and signs heads that extend every head before (C-105)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum

from ...domain.errors import DomainError
from ...domain.log_history import LogHistory
from ...verify_evidence import Checkpoint, EvidenceError
from ..errors import UnavailableError
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.head_signer import HeadSigner
from ..ports.kept_heads import HeadsNotKept, HeadsUnreadable, KeptHeads
from ..ports.sealed_log import Head
from .covering import cover, covered_root
from .errors import (
    HeadsOutOfReachError,
    LogDamagedError,
    LogForkedError,
    LogKeyMissingError,
)
from .forks import first_fork
from .keeping_keys import KeepingLogKeys
from .origins import origin_of, unverified_head

# New events wait for the next head no longer than this and the pause between two looks.
BETWEEN_HEADS = timedelta(seconds=20)
# The worker looks every 10 s; whoever runs all due work more often does not seal each time.
_BETWEEN_LOOKS = 9.0
# A node that died holds up the others for so long.
_LEASE = timedelta(seconds=10)
# Longer than between two looks: a node that found a fork keeps the others from signing.
_LEASE_OF_FORKED = timedelta(seconds=30)
_LOST = (
    "The folder heads in the data directory has no head, and the store has one: the store may be a copy, or"
    " older than what was signed, so nothing is signed. Put the folder of the service back, or run watchword"
    " restored with --last-head."
)
# Asked for a head, wait this long for a node that is sealing.
_PATIENCE, _POLL = 25.0, 0.25


class LogState(StrEnum):
    """Whether heads are signed: not if the log went back or is damaged, and not without key or folder."""

    SEALED = "sealed"
    FORKED = "forked"
    DAMAGED = "damaged"
    UNSIGNED = "unsigned"


# Notifies of a turn of the state; the error says why, None that heads are signed again.
Notify = Callable[[LogState, DomainError | None], None]


class SealingLog:
    """
    Due work without due rows: covers the log, and signs a head if it grew and 20 s passed.

    One node seals at a time, under a lease. A node that found a fork keeps the lease, so that no other
    node signs. The only node of a store has every head that it signed outside the store: if none is left
    there, the store may be an older copy, and nothing is signed (D-468). Signing changes nothing of the
    log, and a store out of reach puts it off.
    """

    kind = None

    def __init__(
        self,
        journal: Journal,
        signer: HeadSigner,
        kept: KeptHeads,
        owner: str,
        clock: Clock,
        notify: Notify = lambda _state, _why: None,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        only_node: bool = False,
    ) -> None:
        self._journal = journal
        self._log = journal.sealed_log
        self._signer = signer
        self._kept = kept
        self._keys = KeepingLogKeys(journal, signer, clock)
        self._owner = owner
        self._clock = clock
        self._notify = notify
        self._monotonic = monotonic
        self._only_node = only_node
        self._look_at = monotonic() + _BETWEEN_LOOKS
        self._turn = asyncio.Lock()
        self._behind = False
        self._covered_at = monotonic()
        self._why: DomainError | None = None
        self.state = LogState.SEALED
        # Events that the newest head covers.
        self.size = 0

    @property
    def lag(self) -> float:
        """Return for how many seconds at most an event has waited for its head, as of the last look."""
        return self._monotonic() - self._covered_at if self._behind else 0.0

    async def run_due(self) -> int:
        """Seal if it is time; never counts as due work that was done, because a busy log has no end."""
        now = self._monotonic()
        if now >= self._look_at:
            self._look_at = now + _BETWEEN_LOOKS
            # Reported already, and tried again at the next look.
            with suppress(*_REFUSALS):
                await self._take_a_turn(at_once=False)
        return 0

    async def seal(self) -> Head:
        """
        Cover the log as it is now, and return a head that does; sign it at once if there is none yet.

        Raises `LogForkedError`, `LogDamagedError`, `LogKeyMissingError`, `HeadsOutOfReachError`, and
        `UnavailableError` while another node seals and takes too long.
        """
        wanted, until = await self._journal.newest(), self._monotonic() + _PATIENCE
        while True:
            head = await self._take_a_turn(at_once=True)
            if head is not None and head.size >= wanted:
                return head
            if self._monotonic() >= until:
                raise UnavailableError
            await asyncio.sleep(_POLL)

    async def _take_a_turn(self, *, at_once: bool) -> Head | None:
        """Seal unless another node does; return the newest head."""
        async with self._turn:
            began, now = self._monotonic(), self._clock.real().replace(microsecond=0)
            newest = await self._journal.newest()
            if not await self._log.lease(self._owner, now, now + _LEASE):
                head = await self._log.newest_head()
            else:
                head = await self._seal_alone(now, newest, at_once=at_once)
            self.size = 0 if head is None else head.size
            self._behind = self.size < newest
            if not self._behind:
                self._covered_at = began
            return head

    async def _seal_alone(self, now: datetime, newest: int, *, at_once: bool) -> Head | None:
        """
        Seal under the lease, and give it back, unless the log is forked.

        If the store is out of reach, the lease ends by itself, and the state stays as it was.
        """
        try:
            head = await self._seal(now, newest, at_once=at_once)
        except _REFUSALS as why:
            self._turn_to(why)
            forked = isinstance(why, LogForkedError)
            await self._log.lease(self._owner, now, now + _LEASE_OF_FORKED if forked else now)
            raise
        self._turn_to(None)
        await self._log.lease(self._owner, now, now)
        return head

    async def _seal(self, now: datetime, newest: int, *, at_once: bool) -> Head | None:
        history, changed = await self._keys.settle()
        signing = [each.log_key for each in self._signer.keys if _lives(history, each.log_key)]
        if not signing:
            raise LogKeyMissingError
        if changed:
            newest = await self._journal.newest()
        size = await cover(self._log, newest, self._prolong)
        last = await self._log.newest_head()
        await self._check(history.number, size, last)
        origin = origin_of(self._signer.name, history.number)
        if last is not None and (
            last.size >= size or not (at_once or changed or _due(last, origin, now))
        ):
            return last
        return await self._sign(origin, size, now, signing)

    async def _prolong(self) -> None:
        """Keep the lease while a long log is covered."""
        now = self._clock.real()
        await self._log.lease(self._owner, now, now + _LEASE)

    async def _check(self, number: int, size: int, last: Head | None) -> None:
        """Compare the log with the newest heads, in the store and outside it."""
        try:
            heads = [unverified_head(each) for each in await self._kept.latest()]
        except (HeadsUnreadable, EvidenceError) as error:
            raise HeadsOutOfReachError from error
        if last is not None:
            heads_lost = self._only_node and not heads
            if heads_lost and last.origin == origin_of(self._signer.name, number):
                raise HeadsOutOfReachError(_LOST)
            heads.append(Checkpoint(last.origin, last.size, last.root))
        fork = await first_fork(self._log, self._signer.name, number, size, heads)
        if fork is not None:
            raise LogForkedError(fork.origin, fork.size)

    async def _sign(self, origin: str, size: int, now: datetime, signing: Sequence[str]) -> Head:
        root = await covered_root(self._log, size)
        note = self._signer.signed(Checkpoint(origin, size, root).text, now, signing)
        head = Head(origin, size, root, now, note)
        try:
            # On disk outside the database first: what was shown to anybody is never forgotten.
            await self._kept.keep(note, now)
        except HeadsNotKept as error:
            raise HeadsOutOfReachError from error
        await self._log.keep_head(head)
        return head

    def _turn_to(self, why: DomainError | None) -> None:
        state = LogState.SEALED if why is None else _STATES[type(why)]
        if type(why) is not type(self._why):
            self._notify(state, why)
        self.state, self._why = state, why


_STATES: Mapping[type[DomainError], LogState] = {
    LogForkedError: LogState.FORKED,
    LogDamagedError: LogState.DAMAGED,
    LogKeyMissingError: LogState.UNSIGNED,
    HeadsOutOfReachError: LogState.UNSIGNED,
}
_REFUSALS = tuple(_STATES)


def _lives(history: LogHistory, log_key: str) -> bool:
    return any(each.log_key == log_key for each in history.keys)


def _due(last: Head, origin: str, now: datetime) -> bool:
    """Return whether it is time for the next head: also after a restore, or if the clock was put back."""
    return last.origin != origin or not last.at <= now < last.at + BETWEEN_HEADS
