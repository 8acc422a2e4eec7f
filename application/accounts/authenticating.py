"""Authenticate a call: find the account of an API key (C-6, C-8)."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from datetime import datetime, timedelta
from functools import partial

from attrs import frozen

from ...domain.accounts.account import Account, account_decider
from ...domain.accounts.api_key import (
    ApiKey,
    ForbiddenError,
    Scope,
    UnauthorizedError,
    api_key_decider,
    key_hash_subject,
    use,
)
from ..caller import Caller
from ..concurrency.keyed_queue import KeyedQueue
from ..journal import CONTENTION_SECONDS, Journal, change
from ..ports.clock import Clock
from ..ports.event_store import Loaded, StreamConflict
from .admitting import Admitting

_CACHED_KEYS = 10_000
# A revocation or suspension by another node takes effect within this time.
_TRUSTED_FOR = timedelta(seconds=1)


@frozen
class _Known:
    key_id: str
    key: ApiKey
    account: Account
    read_at: datetime
    # The number of the read, in the order in which the reads began.
    read: int
    # Whether time decides if the key is valid; most keys never end, and read no clock.
    ends: bool


class Authenticating:
    """Finds API keys by their hash, and caches the latest ones for a second."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        refused: frozenset[str] = frozenset(),
        admitting: Admitting | None = None,
    ) -> None:
        self._admitting = admitting or Admitting(clock)
        self._refused = refused
        self._journal = journal
        self._clock = clock
        self._queue = KeyedQueue(patience=CONTENTION_SECONDS)
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._reads = 0

    async def authenticate(self, key: str, scope: Scope, request_id: str) -> Caller:
        """
        Return the caller with a key.

        Raises `UnauthorizedError` for a key that is unknown, revoked or expired, `ForbiddenError`
        for one without the scope, `AccountSuspendedError` while its account is suspended,
        `RateLimitedError` above the account's rate limit, and `UnavailableError` if the store is
        out of reach.
        """
        key_hash = hash_of(key)
        known = self._known.get(key_hash)
        if known is None:
            # Most unknown keys are invalid, and nothing is cached for them, so a queue would not help.
            known = await self._read(key_hash)
        elif not self._is_trusted(known):
            # Calls with the same key take turns: when the cache has expired, dozens of requests share
            # one read.
            known = await self._queue.take(key_hash, partial(self._newest, key_hash, self._reads))
        if known is None or (known.ends and not known.key.valid_at(self._clock.now())):
            raise UnauthorizedError
        self._admitting.admit(known.key.account_id, known.account)
        if scope not in known.key.scopes:
            raise ForbiddenError(f"This API key lacks the scope {scope}. Ask your operator.")
        return Caller(
            known.key.account_id,
            known.key_id,
            request_id,
            known.key.template_auto_match,
            known.account.limits.stored_bytes_per_day,
        )

    def forget(self) -> None:
        """Empty the cache after a change of a key or an account."""
        self._known.clear()

    def _is_trusted(self, known: _Known) -> bool:
        return abs(self._clock.real() - known.read_at) < _TRUSTED_FOR

    async def _newest(self, key_hash: str, reads: int) -> _Known | None:
        """Return the cached key if its read began after read number `reads`; else read it."""
        known = self._known.get(key_hash)
        # Such a read began after this call, so it is as new as a read by this call, whatever its duration.
        if known is not None and (known.read > reads or self._is_trusted(known)):
            return known
        return await self._read(key_hash)

    async def _read(self, key_hash: str) -> _Known | None:
        if key_hash in self._refused:
            return None
        real = self._clock.real()
        self._reads = read = self._reads + 1
        key_id = await self._journal.holder(key_hash_subject(key_hash))
        if key_id is None:
            self._known.pop(key_hash, None)
            return None
        loaded = await self._journal.load(api_key_decider, key_id)
        account = await self._journal.load(account_decider, loaded.state.account_id)
        await self._note_use(key_id, loaded)
        known = self._known[key_hash] = _Known(
            key_id, loaded.state, account.state, real, read, loaded.state.ends
        )
        self._known.move_to_end(key_hash)
        if len(self._known) > _CACHED_KEYS:
            self._known.popitem(last=False)
        return known

    async def _note_use(self, key_id: str, loaded: Loaded[ApiKey]) -> None:
        # The last use is an event, recorded at most once in ten minutes (D-6). It survives restarts,
        # and the hot path pays nothing for it.
        now = self._clock.now()
        decision = use(loaded.state, now)
        if not decision.events:
            return
        by = Caller(loaded.state.account_id, key_id, "")
        used = change(api_key_decider, key_id, loaded, decision)
        try:
            await self._journal.write(by, now, used)
        except StreamConflict:
            return


def hash_of(text: str) -> str:
    """Return the hash under which a key or a token is stored."""
    # Keys and tokens are long and random, so a single fast SHA-256 is enough.
    return hashlib.sha256(text.encode()).hexdigest()
