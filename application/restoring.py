"""After a restore from a backup, end whatever the store would do a second time (D-64)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from attrs import frozen

from ..domain import fallback_run as runs
from ..domain import pin as pins
from ..domain.accounts import channel_account, console_session
from ..domain.accounts.channel_account import (
    ChannelAccountNotFoundError,
    channel_account_decider,
)
from ..domain.accounts.console_session import console_session_decider
from ..domain.errors import NotFoundError
from ..domain.fallback_run import StepStatus, fallback_run_decider
from ..domain.legacy import legacy_user
from ..domain.legacy.legacy_user import LegacyUserNotFoundError, legacy_user_decider
from ..domain.pin import PinNotFoundError, PinStatus, pin_decider
from .callbacks.endpoint_repository import EndpointRepository
from .callbacks.live_endpoints import LiveEndpoints
from .caller import ADMIN, Caller
from .channel_accounts.channel_secrets import sealed_channel_accounts
from .data_requests.dropping_people import drop_people
from .data_requests.repeating_erasures import repeat_erasures
from .due_work import BATCH
from .evidence.declaring_restores import DeclaringRestores
from .journal import Journal, retry_on_conflict
from .ports.clock import Clock
from .ports.log_mark import LogMark
from .ports.randomness import Randomness
from .ports.snapshot import Snapshot
from .records.console_session import ConsoleSessionRow
from .records.fallback_run import FallbackRunRow
from .records.legacy_token import LegacyTokenRow
from .records.pin import VerificationRow
from .records.test_destination import TestDestinationRow
from .repository import Repository
from .run_changes import moved
from .test_destinations.removing import remove_test_destination

T = TypeVar("T")
R = TypeVar("R")

# The error code of a step that was ended this way.
STORE_RESTORED = "store_restored"


@frozen(kw_only=True)
class Restored:
    """
    The numbers of ended records, and the id of the request that ended them.

    `origin` is the next one of the log's heads, if they need one. The numbers are of the expired PINs, the
    unfinished runs, the legacy users whose tokens were revoked, the ended console sessions, the removed
    callback endpoints, the channel accounts whose secrets were dropped, the removed test destinations, the
    people erased because their keys are lost, and those erased again.
    """

    pins: int
    runs: int
    legacy_users: int
    console_sessions: int
    callbacks: int
    channel_accounts: int
    test_destinations: int
    people: int
    erased_again: int
    request_id: str
    origin: str | None = None


class Restoring:
    """
    Ends the codes, fallback runs, tokens, sessions and fixed codes that may have changed after the backup.

    A restored store lacks the codes used, the guesses spent, the tokens revoked, the sessions ended and the
    test destinations removed after its backup.
    Restore before anyone can use one of them. It may be repeated. `lost` are versions of the code key that
    are lost: whomever they sealed is erased (D-314).
    """

    def __init__(
        self,
        journal: Journal,
        randomness: Randomness,
        clock: Clock,
        mark: LogMark | None = None,
        lost: Sequence[int] = (),
        declaring: DeclaringRestores | None = None,
    ) -> None:
        self._journal = journal
        self._declaring = declaring
        self._lost = lost
        self._mark = mark
        self._randomness = randomness
        self._clock = clock
        self._pins = Repository(journal, clock, pin_decider, PinNotFoundError)
        self._users = Repository(journal, clock, legacy_user_decider, LegacyUserNotFoundError)
        self._sessions = Repository(
            journal,
            clock,
            console_session_decider,
            partial(NotFoundError, "No session has this id."),
        )
        self._endpoints = EndpointRepository(journal, clock)
        self._channel_accounts = Repository(
            journal, clock, channel_account_decider, ChannelAccountNotFoundError
        )

    async def restored(
        self,
        *,
        end_runs: bool,
        remove_callbacks: bool = False,
        drop_channel_secrets: bool = False,
        erasures: Iterable[str] = (),
        last_head: str | None = None,
        no_head: bool = False,
    ) -> Restored:
        """
        Expire every live code, revoke every token, and remove every test destination.

        The log's high-water mark is reset (D-158). With `end_runs`, also call off every run that could
        send a step. `remove_callbacks` and `drop_channel_secrets` are for a lost code key, without which
        the secrets of endpoints and channel accounts cannot be opened. The people of `erasures` were
        erased after the backup, and are erased again. `last_head` is the last note that was signed of the
        log, and `no_head` says that none is left; a log that was signed needs one of them, before anything
        is ended.

        Raises `LastHeadWantedError`, `NoHeadError`, `LogDamagedError`, and `StoreUnavailable` or
        `UnavailableError` when the store is out of reach.
        """
        by = Caller("", ADMIN, self._randomness.new_id("req"))
        # First, so that the log that was kept ends where the backup does.
        origin = None
        if self._declaring is not None:
            origin = await self._declaring.declare(by, last_head, none=no_head)
        # Then these, so that what follows reads `(erased)` and seals nothing.
        again = await repeat_erasures(self._journal, by, self._clock, erasures)
        erased = await drop_people(self._journal, by, self._clock, self._lost)
        async with self._journal.snapshot() as snapshot:
            live = await self._live_pins(snapshot)
            unfinished = await _unfinished_runs(snapshot)
            generations = await _newest_generations(snapshot)
            sessions = await self._open_sessions(snapshot)
            tests = await _live_test_destinations(snapshot)
            sealed = await sealed_channel_accounts(snapshot) if drop_channel_secrets else ()
        await _each(live, partial(self._expire, by))
        if end_runs:
            await _each(unfinished, lambda run: retry_on_conflict(partial(self._call_off, by, run)))
        logged_out = await _each(generations.items(), partial(self._revoke_tokens, by))
        logged_off = await _each(sessions, partial(self._end_session, by))
        removed = await LiveEndpoints(self._journal).all() if remove_callbacks else ()
        await _each([each.id for each in removed], partial(self._endpoints.remove, by))
        dropped = await _each(sealed, partial(self._drop_secrets, by))
        ended = await _each(tests, partial(self._remove_test, by))
        if self._mark is not None:
            await self._mark.reset(await self._journal.newest())
        return Restored(
            pins=len(live),
            runs=len(unfinished),
            legacy_users=sum(logged_out),
            console_sessions=sum(logged_off),
            callbacks=len(removed),
            channel_accounts=sum(dropped),
            test_destinations=sum(ended),
            people=erased,
            erased_again=again,
            request_id=by.request_id,
            origin=origin,
        )

    async def _live_pins(self, snapshot: Snapshot) -> Sequence[str]:
        now = self._clock.now()
        # The stream decides about a row that cannot be read.
        return [
            kept.key
            async for kept in snapshot.rows(VerificationRow)
            if kept.row is None
            or (kept.row.status == PinStatus.PENDING and kept.row.expires_at > now)
        ]

    async def _expire(self, by: Caller, pin_id: str) -> None:
        # `watchword audit check` reports a row without events.
        with suppress(NotFoundError):
            await self._pins.decide(
                by, pin_id, lambda pin, at: pins.expire(pin, pins.ExpirePin(at=at))
            )

    async def _remove_test(self, by: Caller, test_id: str) -> bool:
        """Remove a test destination; return whether it was one."""
        removed = await remove_test_destination(self._journal, by, self._clock, test_id)
        return removed is not None

    async def _call_off(self, by: Caller, run_id: str) -> None:
        now = self._clock.now()
        loaded = await self._journal.find(fallback_run_decider, run_id)
        if loaded is None:
            # `watchword audit check` reports a row without events.
            return
        command = runs.CallOff(at=now, error_code=STORE_RESTORED)
        ended = moved(run_id, loaded, runs.call_off(loaded.state, command), now)
        if ended.changes:
            await self._journal.write(
                by, now, *ended.changes, done=ended.done, dropping=ended.dropping
            )

    async def _revoke_tokens(self, by: Caller, given: tuple[str, int]) -> bool:
        """Revoke the tokens of a user's generation; return whether they were valid."""
        user_id, generation = given
        with suppress(NotFoundError):
            if (await self._users.state(by, user_id)).generation == generation:
                await self._users.decide(by, user_id, legacy_user.revoke_tokens)
                return True
        return False

    async def _open_sessions(self, snapshot: Snapshot) -> Sequence[str]:
        now = self._clock.real()
        return [
            kept.key
            async for kept in snapshot.rows(ConsoleSessionRow)
            if kept.row is None or (kept.row.ended_at is None and now < kept.row.ends_at)
        ]

    async def _end_session(self, by: Caller, session_id: str) -> bool:
        """End a console session; return whether it has events."""
        with suppress(NotFoundError):
            await self._sessions.decide(by, session_id, console_session.end)
            return True
        return False

    async def _drop_secrets(self, by: Caller, channel_account_id: str) -> bool:
        """Drop the secrets of a channel account; return whether it has events."""
        # `watchword audit check` reports a seal without events.
        with suppress(NotFoundError):
            await self._channel_accounts.decide(
                by, channel_account_id, channel_account.drop_secrets, dropping=(channel_account_id,)
            )
            return True
        return False


async def _unfinished_runs(snapshot: Snapshot) -> Sequence[str]:
    return [
        kept.key
        async for kept in snapshot.rows(FallbackRunRow)
        if kept.row is None or any(step.status == StepStatus.ARMED for step in kept.row.steps)
    ]


async def _live_test_destinations(snapshot: Snapshot) -> Sequence[str]:
    # A fixed code may have been removed since the backup because it was known (D-404).
    return [
        kept.key
        async for kept in snapshot.rows(TestDestinationRow)
        if kept.row is None or kept.row.removed_at is None
    ]


async def _newest_generations(snapshot: Snapshot) -> Mapping[str, int]:
    """Return the newest token generation of each legacy user; damaged tokens are invalid anyway."""
    newest: dict[str, int] = {}
    async for kept in snapshot.rows(LegacyTokenRow):
        if kept.row is not None:
            given = newest.get(kept.row.user_id, 0)
            newest[kept.row.user_id] = max(given, kept.row.generation)
    return newest


async def _each(ended: Iterable[T], end: Callable[[T], Awaitable[R]]) -> Sequence[R]:
    """Run `end` on all of them in batches, so that their appends share commits; return the results."""
    these = tuple(ended)
    came: list[R] = []
    for first in range(0, len(these), BATCH):
        some = these[first : first + BATCH]
        came += await asyncio.gather(*(end(each) for each in some))
    return came
