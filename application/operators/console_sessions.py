"""Console sessions: log in with a token, look a session up at every request, log out (C-85, D-491)."""

from __future__ import annotations

import hmac
import re
from contextlib import suppress
from datetime import datetime
from functools import partial

from attrs import field, frozen

from ...domain.accounts.api_key import UnauthorizedError
from ...domain.accounts.console_session import (
    ConsoleSession,
    ConsoleSessionBegun,
    console_session_decider,
    end,
    use,
)
from ...domain.conditions import WithinRate
from ...domain.decider import Decision
from ...domain.rate_limit import Rate
from ..accounts.authenticating import hash_of
from ..caller import ADMIN, PUBLIC, Caller
from ..concurrency.keyed_queue import KeyedQueue
from ..errors import UnavailableError
from ..journal import CONTENTION_SECONDS, Journal, beginning, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.event_store import Loaded, StreamConflict
from ..ports.fingerprinter import Fingerprinter
from ..ports.randomness import Randomness
from ..records.console_session import CONSOLE_SESSION
from .authenticating_operators import AuthenticatingOperators
from .operator import Operator

# The wrong tokens allowed to one client (C-85).
WRONG_TOKENS = Rate("5/15m")
COUNTED_FOR = WRONG_TOKENS.window
# The prefix of the subjects of wrong tokens.
SUBJECT = "console-login:"
# The id of a session and its secret, as the browser keeps them.
_TEXT = re.compile(rf"({CONSOLE_SESSION.prefix}_[0-9a-f]+)\.([A-Za-z0-9_-]+)", re.ASCII)
_LONGEST_TEXT = 200


@frozen(kw_only=True)
class OpenSession:
    """An open session: whose it is, and the machine's times of its begin and of its end without a use."""

    id: str
    operator: Operator
    began_at: datetime
    ends_at: datetime


@frozen(kw_only=True)
class NewSession:
    """A new session. `secret` is for the browser alone: it is returned once and stored as a hash."""

    session: OpenSession
    secret: str = field(repr=False)


class ConsoleSessions:
    """
    Begins, finds and ends the sessions of the console.

    A session is looked up in the store at every request, and its token too. So one that was ended, and
    one whose token was revoked, has expired or is not the environment's any more, opens nothing from its
    next request on, on every node. Its times are the machine's, which a sandbox cannot move.

    The append of every login checks how many wrong tokens its client has tried. So of many logins at
    once, on any number of nodes, no more than the limit count (D-98).
    """

    def __init__(
        self,
        journal: Journal,
        operators: AuthenticatingOperators,
        fingerprinter: Fingerprinter,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._operators = operators
        self._fingerprinter = fingerprinter
        self._randomness = randomness
        self._clock = clock
        self._queue = KeyedQueue(patience=CONTENTION_SECONDS)

    def rooted(self, root: str | None) -> ConsoleSessions:
        """Return the same with an environment's token; None and an empty one open nothing."""
        return ConsoleSessions(
            self._journal,
            self._operators.rooted(root),
            self._fingerprinter,
            self._randomness,
            self._clock,
        )

    async def begin(self, token: str, client: str, request_id: str) -> NewSession:
        """
        Begin a session for the operator who holds a token; a wrong token is counted for `client`.

        Raises `UnauthorizedError`, `RateLimitedError`, which even a right token meets, and
        `UnavailableError`.
        """
        return await self._queue.take(client, partial(self._begun, token, client, request_id))

    async def _begun(self, token: str, client: str, request_id: str) -> NewSession:
        by = Caller("", PUBLIC, request_id)
        await self._journal.write(by, self._clock.now(), conditions=self._one_more(client))
        try:
            operator = await self._operators.authenticate(token.strip(), request_id)
        except UnauthorizedError:
            wrong = self._one_more(client, counted=True)
            await self._journal.write(by, self._clock.now(), conditions=wrong)
            raise
        now = self._clock.now()
        secret = self._randomness.new_token()
        session_id = self._randomness.new_id(CONSOLE_SESSION.prefix)
        begun = ConsoleSessionBegun(
            at=now,
            began_at=self._clock.real(),
            token_id=operator.token_id,
            token_mark=self._marks()[0] if operator.token_id is None else None,
            secret_hash=hash_of(secret),
        )
        made = beginning(console_session_decider, session_id, Decision((begun,)))
        await self._journal.write(operator.caller, now, made, conditions=self._one_more(client))
        opened = _opened(session_id, made.state, operator)
        return NewSession(session=opened, secret=f"{session_id}.{secret}")

    async def find(self, secret: str, request_id: str, *, using: bool = True) -> OpenSession | None:
        """
        Return the open session with a secret; None if there is none.

        It counts as used, unless a page asks by itself (`using=False`). Raises `UnavailableError` if the
        store is out of reach.
        """
        found = await self._load(secret)
        if found is None or not found[1].state.open_at(self._clock.real()):
            return None
        session_id, loaded = found
        operator = await self._operator(loaded.state, request_id)
        if operator is None:
            return None
        if not using:
            return _opened(session_id, loaded.state, operator)
        state = await self._note_use(operator.caller, session_id, loaded)
        return _opened(session_id, state, operator)

    async def end(self, secret: str, request_id: str = "") -> None:
        """End the session with a secret, even if its token ended before; nothing happens without one."""

        async def attempt() -> None:
            found = await self._load(secret)
            if found is None:
                return
            session_id, loaded = found
            now = self._clock.now()
            decision = end(loaded.state, now)
            if decision.events:
                by = Caller("", loaded.state.token_id or ADMIN, request_id)
                ended = change(console_session_decider, session_id, loaded, decision)
                await self._journal.write(by, now, ended)

        await retry_on_conflict(attempt)

    async def _load(self, text: str) -> tuple[str, Loaded[ConsoleSession]] | None:
        parts = _TEXT.fullmatch(text) if len(text) <= _LONGEST_TEXT else None
        if parts is None:
            return None
        loaded = await self._journal.find(console_session_decider, parts[1])
        if loaded is None or not hmac.compare_digest(hash_of(parts[2]), loaded.state.secret_hash):
            return None
        return parts[1], loaded

    async def _operator(self, session: ConsoleSession, request_id: str) -> Operator | None:
        """Return the operator of a session while the session's token is valid."""
        if session.token_id is not None:
            return await self._operators.by_id(session.token_id, request_id)
        root, mark = self._operators.root_hash, session.token_mark
        if root is None or mark not in self._marks():
            return None
        return self._operators.root(root, request_id)

    async def _note_use(
        self, by: Caller, session_id: str, loaded: Loaded[ConsoleSession]
    ) -> ConsoleSession:
        """Record a use of a session if one is due, and return the state after it."""
        now, state = self._clock.now(), loaded.state
        decision = use(state, now, self._clock.real())
        if not decision.events:
            return state
        used = change(console_session_decider, session_id, loaded, decision)
        # Another request recorded the use; and a store whose disk is full can still be looked at.
        with suppress(StreamConflict, UnavailableError):
            await self._journal.write(by, now, used)
            state = used.state
        return state

    def _marks(self) -> tuple[str, ...]:
        """
        Return the environment's token's fingerprint under each version of the code key, the newest first.

        People choose this token, so the store keeps nothing that guesses can be tried against (D-492).
        """
        return self._fingerprinter.fingerprints(
            f"console-root:{self._operators.root_hash}".encode()
        )

    def _one_more(self, client: str, *, counted: bool = False) -> tuple[WithinRate, ...]:
        """
        Return the conditions that one more wrong token is within the limit.

        There is one for each version of the code key, so that nodes in the middle of a rotation share
        their counts. The subjects are fingerprints, so that a stolen store reveals no client.
        """
        now = self._clock.now()
        return tuple(
            WithinRate(f"{SUBJECT}{fingerprint}", WRONG_TOKENS, now, counted)
            for fingerprint in self._fingerprinter.fingerprints(f"{SUBJECT}{client}".encode())
        )


def _opened(session_id: str, session: ConsoleSession, operator: Operator) -> OpenSession:
    return OpenSession(
        id=session_id, operator=operator, began_at=session.began_at, ends_at=session.ends_at
    )
