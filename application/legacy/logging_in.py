"""Log in to the legacy platform: an e-mail address and a password for a token (SPEC 4 E1, C-42)."""

from __future__ import annotations

import asyncio
from functools import partial

from attrs import frozen

from ...domain.accounts.api_key import UnauthorizedError
from ...domain.conditions import WithinRate
from ...domain.errors import RateLimitedError
from ...domain.legacy.legacy_user import (
    LegacyUser,
    canonical_email,
    legacy_email,
    legacy_user_decider,
)
from ...domain.rate_limit import Rate
from ..caller import PUBLIC, Caller
from ..concurrency.keyed_queue import KeyedQueue
from ..journal import CONTENTION_SECONDS, Journal
from ..ports.clock import Clock
from ..ports.fingerprinter import Fingerprinter
from ..ports.password_hasher import PasswordHasher
from .tokens import NewToken, Tokens

# The wrong logins allowed to one client for one e-mail, to one client in all, and for one e-mail (C-97).
OF_CLIENT_FOR_EMAIL = Rate("5/15m")
OF_CLIENT = Rate("50/15m")
FOR_EMAIL = Rate("200/15m")
COUNTED_FOR = FOR_EMAIL.window
# The time of a look-up depends on the cache; this longer time hides whether an e-mail has a user.
_LOOK_SECONDS = 0.01
# The prefix of the subjects of wrong logins.
SUBJECT = "legacy-login:"


@frozen
class _LoginAttempt:
    """The client and the e-mail of a login. E-mails have no NUL, so no two of their subjects are equal."""

    client: str
    email: str

    @property
    def both(self) -> str:
        return f"both\0{self.client}\0{self.email}"

    @property
    def rates(self) -> tuple[tuple[str, Rate], ...]:
        client = f"client\0{self.client}"
        return (self.both, OF_CLIENT_FOR_EMAIL), (client, OF_CLIENT), (self.email, FOR_EMAIL)


@frozen
class _Found:
    id: str
    user: LegacyUser


class BadLoginError(UnauthorizedError):
    """Unknown user, wrong password or too many wrong logins; the answer hides which (C-62, C-97)."""

    code = "bad_login"

    def __init__(self) -> None:
        super().__init__(
            "The e-mail or the password is wrong, or there were too many wrong logins in 15 minutes."
        )


class LoggingIn:
    """
    Checks passwords and issues tokens.

    The append of every login checks whether its client and its e-mail have reached their limits. So of
    many logins at once, on any number of nodes, no more than the limit count (D-98). Above a limit, a
    login is refused before its password is hashed, even if no user has the e-mail. Logins of one client
    for one e-mail run one after the other, so that a flood of them costs five hashes.
    """

    def __init__(
        self,
        journal: Journal,
        hasher: PasswordHasher,
        fingerprinter: Fingerprinter,
        tokens: Tokens,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._hasher = hasher
        self._fingerprinter = fingerprinter
        self._tokens = tokens
        self._clock = clock
        self._queue = KeyedQueue(patience=CONTENTION_SECONDS)

    async def log_in(
        self,
        email: str,
        password: str,
        request_id: str,
        *,
        client: str,
        never_expire: bool = False,
    ) -> NewToken:
        """
        Return a token for an e-mail and its password; the login is counted for `client`.

        Raises `BadLoginError`, `AccountSuspendedError`, and `UnavailableError` when too many logins
        wait for their hash.
        """
        attempt = _LoginAttempt(client, canonical_email(email))
        try:
            return await self._queue.take(
                attempt.both, partial(self._logged_in, attempt, password, request_id, never_expire)
            )
        except RateLimitedError:
            raise BadLoginError from None

    async def _logged_in(
        self, attempt: _LoginAttempt, password: str, request_id: str, never_expire: bool
    ) -> NewToken:
        by = Caller("", PUBLIC, request_id)
        await self._journal.write(by, self._clock.now(), conditions=self._one_more(attempt))
        found, _ = await asyncio.gather(self._look_up(attempt.email), asyncio.sleep(_LOOK_SECONDS))
        password_hash = None if found is None else found.user.password_hash
        # Also without a user: the time of an answer must not reveal which users exist.
        matches = await self._hasher.matches(password, password_hash, attempt.client)
        if found is None or not matches:
            wrong = self._one_more(attempt, counted=True)
            await self._journal.write(by, self._clock.now(), conditions=wrong)
            raise BadLoginError
        # Only after a right password: strangers must not learn which accounts exist.
        await self._tokens.require_active(found.user.account_id)
        return await self._tokens.issue(
            Caller(found.user.account_id, found.id, request_id),
            found.user.generation,
            never_expire=never_expire,
            conditions=self._one_more(attempt),
        )

    async def _look_up(self, email: str) -> _Found | None:
        """Return the user with an e-mail, if there is one."""
        user_id = await self._journal.holder(legacy_email(email))
        if user_id is None:
            return None
        return _Found(user_id, (await self._journal.load(legacy_user_decider, user_id)).state)

    def _one_more(self, attempt: _LoginAttempt, *, counted: bool = False) -> tuple[WithinRate, ...]:
        """
        Return the conditions that one more wrong login is within the limits.

        There is one for each version of the code key, so that nodes in the middle of a rotation
        share their counts. The subjects are fingerprints, so that a stolen store does not reveal
        clients and e-mails (D-108, D-143).
        """
        now = self._clock.now()
        return tuple(
            WithinRate(f"{SUBJECT}{fingerprint}", rate, now, counted)
            for subject, rate in attempt.rates
            for fingerprint in self._fingerprinter.fingerprints(f"{SUBJECT}{subject}".encode())
        )
