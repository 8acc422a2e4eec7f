"""One attempt to send a message through one channel account; it never raises (C-68)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec.structs import replace

from ..channel_accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ..channel_accounts.health import BreakerState
from ..concurrency.fair_shares import FairShares
from ..errors import UnavailableError
from ..ports.channels import Accepted, ChannelProvider, Fault, Message, Rejected, Unknown
from .guards import Guard
from .outcomes import (
    AWAY,
    BUSY,
    DISABLED,
    LATE,
    NO_PROVIDER,
    NO_SECRETS,
    UNREADABLE_SECRETS,
    Answer,
    Veil,
    checked,
    failed,
    identified,
    unquoted,
    without_number,
)

# The longest wait for a place among those of all accounts, in seconds.
PLACE_PATIENCE = 2.0
_NO_ROOM = -1.0
# On Python 3.11, each access to a member of an enumeration is a call.
_CLOSED, _AWAY = BreakerState.CLOSED, Fault.AWAY
# Is called when the breaker of a channel account opens or closes.
Turned = Callable[[Guard], None]
# Is called with a channel account, the call, and the exception that its adapter raised in it.
AdapterFailed = Callable[[str, str, BaseException], None]


class Attempts:
    """
    Sends messages once each, through the bounds of their channel accounts and past their breakers.

    A send waits for room for at most half of its time, so that its provider has the other half.
    """

    def __init__(
        self,
        providers: Mapping[str, ChannelProvider],
        secrets: ChannelSecrets,
        places: FairShares,
        turned: Turned,
        adapter_failed: AdapterFailed,
    ) -> None:
        self._providers = providers
        self._secrets = secrets
        self._places = places
        self._turned = turned
        self._adapter_failed = adapter_failed

    async def once(
        self,
        guard: Guard,
        message: Message,
        veiled: Veil,
        seconds: float | None = None,
        *,
        testing: bool = False,
    ) -> Answer:
        """
        Send a message once within `seconds`; None means the time of a send's first attempt.

        `testing` sends although the account is disabled or its breaker is open; an answer then closes
        the breaker (C-67).
        """
        account = guard.account
        if not account.enabled and not testing:
            return DISABLED
        provider = self._providers.get(account.provider)
        if provider is None:
            return NO_PROVIDER
        config = account.config
        if account.sealed:
            opened = await self._opened(guard)
            if isinstance(opened, Rejected):
                return opened
            config = opened
        breaker = guard.breaker
        if breaker.state is not _CLOSED and not testing and breaker.refuses(guard.now()):
            return AWAY
        if not self._enters_now(guard):
            seconds = await self._wait(guard, seconds)
            if seconds == _NO_ROOM:
                return BUSY
        try:
            # The breaker may have opened while the send waited.
            if breaker.state is not _CLOSED and not testing and not breaker.admits(guard.now()):
                return AWAY
            if message.sender is None and account.sender is not None:
                message = replace(message, sender=account.sender)
            era = breaker.era
            try:
                sending = provider.send(config, message)
                said = await (
                    guard.deadlines.within(sending)
                    if seconds is None
                    else _within(seconds, sending)
                )
                answer = unquoted(checked(said, veiled), account.config, config)
                answer = without_number(answer, message.destination)
            except TimeoutError:
                answer = self._in_doubt(LATE, guard, provider, message)
            except (Exception, asyncio.CancelledError) as error:
                if isinstance(error, asyncio.CancelledError) and _is_wanted_to_end():
                    if not testing:
                        breaker.abandoned(era, guard.now())
                    raise
                self._adapter_failed(guard.channel_account_id, "send", error)
                answer = self._in_doubt(failed(error), guard, provider, message)
        finally:
            self._places.release(account.account_id)
            guard.bounds.leave()
        guard.last = answer
        if seconds is not None:
            # That of a first attempt, which is the hot path, is noted by its caller.
            guard.last_at = guard.now()
        if type(answer) is not Accepted or not breaker.calm or breaker.state is not _CLOSED:
            self._learn(guard, era, answer, testing=testing)
        return answer

    async def _opened(self, guard: Guard) -> Mapping[str, Any] | Rejected:
        """Return the whole config of a sealed channel account, or why nothing can be sent without it."""
        try:
            return await self._secrets.config_of(guard.channel_account_id, guard.account)
        except ChannelSecretMissingError:
            return NO_SECRETS
        except UnavailableError:
            return UNREADABLE_SECRETS

    def _enters_now(self, guard: Guard) -> bool:
        """Take room without waiting, if there is some; return whether it did."""
        if not guard.bounds.enter_now():
            return False
        if self._places.take_now(guard.account.account_id):
            return True
        guard.bounds.leave()
        return False

    async def _wait(self, guard: Guard, seconds: float | None) -> float:
        """Wait for room; return the seconds that are left for the attempt, `_NO_ROOM` without room."""
        began = guard.now()
        seconds = guard.deadlines.seconds if seconds is None else seconds
        if not await guard.bounds.enter(seconds / 2, guard.now):
            return _NO_ROOM
        patience = min(PLACE_PATIENCE, seconds / 2 - (guard.now() - began))
        try:
            await self._places.take(guard.account.account_id, patience)
        except BaseException as failure:
            guard.bounds.leave()
            if isinstance(failure, UnavailableError):
                return _NO_ROOM
            raise
        return seconds - (guard.now() - began)

    def _in_doubt(
        self, answer: Unknown, guard: Guard, provider: ChannelProvider, message: Message
    ) -> Unknown:
        """Return the answer with the id that the provider's receipts will have, if it is known (D-305)."""
        try:
            own_id = provider.id_of(message.reference)
        except Exception as error:
            self._adapter_failed(guard.channel_account_id, "id_of", error)
            return answer
        return identified(answer, own_id)

    def _learn(self, guard: Guard, era: int, answer: Answer, *, testing: bool) -> None:
        """Tell the breaker and the bounds how the provider answered."""
        breaker = guard.breaker
        guard.last_at = guard.now()
        if isinstance(answer, Rejected) and answer.retry_after is not None:
            guard.bounds.pause(guard.now(), answer.retry_after)
        if isinstance(answer, Unknown) or (isinstance(answer, Rejected) and answer.fault is _AWAY):
            turned = guard.trips and breaker.failed(era, guard.now())
        else:
            turned = breaker.close() if testing else breaker.answered(era)
        if turned:
            self._turned(guard)


async def _within(seconds: float, sending: Awaitable[object]) -> object:
    async with asyncio.timeout(seconds):
        return await sending


def _is_wanted_to_end() -> bool:
    """Return whether our own task was cancelled, and not a task that the provider waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
