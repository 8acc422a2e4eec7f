"""Tokens of the legacy platform: issued at a login, valid for an hour after their last use (C-42)."""

from __future__ import annotations

from datetime import datetime, timedelta

from attrs import evolve, field, frozen

from ...domain.accounts.account import account_decider
from ...domain.accounts.api_key import UnauthorizedError
from ...domain.conditions import Condition
from ...domain.legacy.legacy_user import legacy_user_decider
from ..accounts.admitting import Admitting
from ..accounts.authenticating import hash_of
from ..caller import Caller
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.randomness import Randomness
from ..records.legacy_token import LegacyTokenRow

LIFETIME = timedelta(hours=1)
# A use is recorded if the last recorded use is older than this, and a token is valid that much longer. A
# busy token therefore costs one write a second, and no token ends before its hour (D-97).
EXACT_TO = timedelta(seconds=1)


class TokenInvalidError(UnauthorizedError):
    """The token is missing, unknown or revoked, or was not used for an hour (C-41)."""

    code = "token_invalid"

    def __init__(self) -> None:
        super().__init__(
            "The token is missing, unknown or expired. Log in, and send the token that you are given."
        )


@frozen(kw_only=True)
class NewToken:
    """A new token, returned once and stored as a hash."""

    token: str = field(repr=False)
    expires_at: datetime | None


class Tokens:
    """Issues tokens and finds their users; every node of the store accepts all tokens."""

    def __init__(
        self,
        journal: Journal,
        randomness: Randomness,
        clock: Clock,
        admitting: Admitting | None = None,
    ) -> None:
        self._admitting = admitting or Admitting(clock)
        self._journal = journal
        self._randomness = randomness
        self._clock = clock

    async def issue(
        self, by: Caller, generation: int, *, never_expire: bool, conditions: tuple[Condition, ...]
    ) -> NewToken:
        """Return a new token for the calling user; raises the store's refusal of the conditions."""
        now = self._clock.now()
        token = self._randomness.new_token()
        row = LegacyTokenRow(
            token_hash=hash_of(token),
            user_id=by.actor,
            generation=generation,
            created_at=now,
            expires_at=None if never_expire else now + LIFETIME,
        )
        await self._journal.write(by, now, conditions=conditions, rows=(row,))
        return NewToken(token=token, expires_at=row.expires_at)

    async def caller(self, token: str, request_id: str) -> Caller:
        """
        Return the user of a token as the caller for the user's account, and restart the token's hour.

        Raises `TokenInvalidError`, `AccountSuspendedError`, `RateLimitedError`, and
        `UnavailableError` if the store is out of reach.
        """
        row = await self._journal.row(LegacyTokenRow, hash_of(token)) if token else None
        now = self._clock.now()
        if row is None or (row.expires_at is not None and now - row.expires_at >= EXACT_TO):
            raise TokenInvalidError
        user = (await self._journal.load(legacy_user_decider, row.user_id)).state
        if user.generation != row.generation:
            raise TokenInvalidError
        account = (await self._journal.load(account_decider, user.account_id)).state
        self._admitting.admit(user.account_id, account)
        by = Caller(
            user.account_id,
            row.user_id,
            request_id,
            stored_bytes_per_day=account.limits.stored_bytes_per_day,
        )
        if row.expires_at is not None and now + LIFETIME - row.expires_at >= EXACT_TO:
            used = evolve(row, expires_at=now + LIFETIME)
            await self._journal.write(by, now, rows=(used,))
        return by

    async def require_active(self, account_id: str) -> None:
        """Raise `AccountSuspendedError` while the account is suspended (C-95)."""
        (await self._journal.load(account_decider, account_id)).state.require_active()
