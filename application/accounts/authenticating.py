"""Who is calling: from an API key to its account (C-6, C-8)."""

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
from ..journal import CONTENTION_SECONDS, Journal, change
from ..keyed_queue import KeyedQueue
from ..ports.clock import Clock
from ..ports.event_store import Loaded, StreamConflict
from .admitting import Admitting

_CACHED_KEYS = 10_000
# A key revoked, or an account suspended, by another node is refused within this time.
_TRUSTED_FOR = timedelta(seconds=1)


@frozen
class _Known:
    key_id: str
    key: ApiKey
    account: Account
    read_at: datetime
    # Which of the reads it came by, in the order in which they began.
    read: int


class Authenticating:
    """Finds API keys by their hash, and remembers the last ones for a second."""

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
        Return the caller behind a key.

        Raises `UnauthorizedError` for a key that is unknown, revoked or expired, `ForbiddenError`
        for one without the scope, `AccountSuspendedError` while its account is suspended,
        `RateLimitedError` where that makes too many requests, `UnavailableError` when the store cannot
        tell: never a guess.
        """
        key_hash = hash_of(key)
        known = self._known.get(key_hash)
        if known is None:
            # It may be no key at all, of which nothing is kept that others could share.
            known = await self._read(key_hash)
        elif not self._is_trusted(known):
            # One after the other: behind a busy key's second, dozens of requests wait for what one reads.
            known = await self._queue.take(key_hash, partial(self._newest, key_hash, self._reads))
        if known is None or not known.key.valid_at(self._clock.now()):
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
        """Read every key anew, because one has changed, or its account."""
        self._known.clear()

    def _is_trusted(self, known: _Known) -> bool:
        return abs(self._clock.real() - known.read_at) < _TRUSTED_FOR

    async def _newest(self, key_hash: str, reads: int) -> _Known | None:
        """Return what was read meanwhile, if that began since there were so many reads, or read it."""
        known = self._known.get(key_hash)
        # However long it took: who reads no earlier than one came knows no less than one's own read.
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
        known = self._known[key_hash] = _Known(key_id, loaded.state, account.state, real, read)
        self._known.move_to_end(key_hash)
        if len(self._known) > _CACHED_KEYS:
            self._known.popitem(last=False)
        return known

    async def _note_use(self, key_id: str, loaded: Loaded[ApiKey]) -> None:
        # Decision D-6: the last use is an event, at most one in ten minutes, so that it is as true
        # after a restart as before and costs the hot path nothing.
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
    """Return the hash under which a key, or a token, is stored."""
    # They are long and random, so one pass of SHA-256 hides them well enough and costs little.
    return hashlib.sha256(text.encode()).hexdigest()
