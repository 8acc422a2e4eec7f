"""Tokens of the legacy platform: given at a login, good for an hour from their last use (C-42)."""

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
# A use is written down when the last one on record is older, and so long a token is good beyond the
# hour: a busy token costs one small write a second, and none ends before its hour is over (D-97).
EXACT_TO = timedelta(seconds=1)


class TokenInvalidError(UnauthorizedError):
    """No token, an unknown or a revoked one, or one that nobody used for an hour (C-41)."""

    code = "token_invalid"

    def __init__(self) -> None:
        super().__init__(
            "The token is missing, unknown or expired. Log in, and send the token that you are given."
        )


@frozen(kw_only=True)
class GivenToken:
    """A new token: it is returned this once, and stored as a hash."""

    token: str = field(repr=False)
    expires_at: datetime | None


class Tokens:
    """Makes tokens, and finds their users; every node of the store knows all tokens."""

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

    async def give(
        self, by: Caller, generation: int, *, never_expire: bool, conditions: tuple[Condition, ...]
    ) -> GivenToken:
        """Return the user who is calling a token; raises what the store says of the conditions."""
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
        return GivenToken(token=token, expires_at=row.expires_at)

    async def caller(self, token: str, request_id: str) -> Caller:
        """
        Return who holds a token, acting for the user's account, and begin its hour anew.

        Raises `TokenInvalidError`, `AccountSuspendedError`, `RateLimitedError`, and `UnavailableError`
        when the store cannot tell: never a guess.
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
