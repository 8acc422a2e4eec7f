"""Access tokens: each service account logs in once, and its sends share the token (C-63)."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from attrs import field, frozen

from .service_accounts import ServiceAccount

_MOST_TOKENS = 1_000
# A token ends earlier here than at Google, so that none ends on its way.
_MARGIN_SECONDS = 60.0


@frozen
class AccessToken:
    """The token of a log-in, and for how many seconds Google takes it."""

    value: str = field(repr=False)
    seconds: float


# Logs in; raises `NotSentError`.
LogIn = Callable[[ServiceAccount], Coroutine[Any, Any, AccessToken]]


class AccessTokens:
    """
    Keeps the token of each service account until shortly before its end.

    The token that was used longest ago is dropped when there are too many. All sends that need the same
    token wait for one log-in, which goes on when one of them is cancelled.
    """

    def __init__(self, log_in: LogIn, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._log_in = log_in
        self._monotonic = monotonic
        # Each with the time until which it is used.
        self._tokens: OrderedDict[ServiceAccount, tuple[str, float]] = OrderedDict()
        self._log_ins: dict[ServiceAccount, asyncio.Task[str]] = {}

    async def of(self, account: ServiceAccount) -> str:
        """Return the token of a service account, after a log-in if need be; raises `NotSentError`."""
        kept = self._tokens.get(account)
        if kept is not None and self._monotonic() < kept[1]:
            self._tokens.move_to_end(account)
            return kept[0]
        task = self._log_ins.get(account)
        if task is None:
            task = self._log_ins[account] = asyncio.create_task(self._logged_in(account))
            task.add_done_callback(partial(self._ended, account))
        return await asyncio.shield(task)

    def drop(self, account: ServiceAccount, token: str) -> None:
        """Forget a token that Google did not accept; the next send logs in."""
        kept = self._tokens.get(account)
        if kept is not None and kept[0] == token:
            del self._tokens[account]

    async def close(self) -> None:
        """Forget all tokens, and end the log-ins that are under way."""
        self._tokens.clear()
        tasks = [*self._log_ins.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._log_ins.clear()

    async def _logged_in(self, account: ServiceAccount) -> str:
        began = self._monotonic()
        token = await self._log_in(account)
        # A token that ends soon is used for half of its time.
        used = max(token.seconds - _MARGIN_SECONDS, token.seconds / 2)
        self._tokens[account] = token.value, began + used
        self._tokens.move_to_end(account)
        if len(self._tokens) > _MOST_TOKENS:
            self._tokens.popitem(last=False)
        return token.value

    def _ended(self, account: ServiceAccount, task: asyncio.Task[str]) -> None:
        if self._log_ins.get(account) is task:
            del self._log_ins[account]
        if not task.cancelled():
            # Take the error, so that asyncio reports none if nobody waits for the log-in any more.
            task.exception()
