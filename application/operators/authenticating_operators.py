"""Authenticate operators: find the token that they hold, at every request (C-84)."""

from __future__ import annotations

import hmac
from contextlib import suppress
from datetime import datetime

from ...domain.accounts.api_key import UnauthorizedError
from ...domain.accounts.operator_token import (
    OperatorToken,
    operator_token_decider,
    token_hash_subject,
    use,
)
from ...domain.accounts.token_role import TokenRole
from ..accounts.authenticating import hash_of
from ..caller import ADMIN, Caller
from ..errors import UnavailableError
from ..journal import Journal, change
from ..ports.clock import Clock
from ..ports.event_store import Loaded, StreamConflict
from .operator import Operator

# Every token that is stored begins so; no other text costs a look-up.
TOKEN_PREFIX = "wwt_"  # noqa: S105  the public beginning of every token
ROOT_NAME = "the environment's token"


class AuthenticatingOperators:
    """
    Finds operators by their tokens.

    The environment's token is the root: it costs no look-up, and works while the store is out of reach.
    Any other token is looked up in the store at every request, so a token that is revoked or expired
    ends at its next request, on every node (D-481).
    """

    def __init__(self, journal: Journal, clock: Clock, root: str | None = None) -> None:
        self._journal = journal
        self._clock = clock
        self._root = (root or "").encode()

    def rooted(self, root: str | None) -> AuthenticatingOperators:
        """Return the same with an environment's token; None and an empty one open nothing."""
        return AuthenticatingOperators(self._journal, self._clock, root)

    @property
    def root_hash(self) -> str | None:
        """The hash of the environment's token, by which a session sees that it has changed."""
        return hash_of(self._root.decode()) if self._root else None

    async def authenticate(self, token: str, request_id: str) -> Operator:
        """
        Return the operator who holds a token.

        Raises `UnauthorizedError` for one that is unknown, revoked or expired, and `UnavailableError`
        if it is not the environment's and the store is out of reach.
        """
        # What is typed into a form may be any text, even one that has no bytes.
        given = token.encode(errors="surrogatepass")
        if self._root and hmac.compare_digest(given, self._root):
            return _root(request_id)
        token_id = None
        if token.startswith(TOKEN_PREFIX) and token.isascii():
            token_id = await self._journal.holder(token_hash_subject(hash_of(token)))
        operator = None if token_id is None else await self.by_id(token_id, request_id)
        if operator is None:
            raise UnauthorizedError("The token is missing or not valid. Ask your operator for one.")
        return operator

    def root(self, root_hash: str, request_id: str) -> Operator | None:
        """Return the root, if the environment's token still has this hash."""
        if self.root_hash is None or not hmac.compare_digest(self.root_hash, root_hash):
            return None
        return _root(request_id)

    async def by_id(self, token_id: str, request_id: str) -> Operator | None:
        """Return the operator of a token that was authenticated before; None if it is not valid any more."""
        loaded = await self._journal.find(operator_token_decider, token_id)
        if loaded is None:
            return None
        now, token = self._clock.now(), loaded.state
        if not token.valid_at(now):
            return None
        caller = Caller("", token_id, request_id, bound_to=token.account_id, masked=token.masks)
        await self._note_use(caller, loaded, now)
        return Operator(caller, token.role, token.name, token_id, token.expires_at)

    async def _note_use(self, by: Caller, loaded: Loaded[OperatorToken], now: datetime) -> None:
        decision = use(loaded.state, now)
        if decision.events:
            used = change(operator_token_decider, by.actor, loaded, decision)
            # A store that cannot be written, because its disk is full, can still be looked at.
            with suppress(StreamConflict, UnavailableError):
                await self._journal.write(by, now, used)


def _root(request_id: str) -> Operator:
    return Operator(Caller("", ADMIN, request_id), TokenRole.ADMIN, ROOT_NAME)
