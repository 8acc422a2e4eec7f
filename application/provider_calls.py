"""Calls channel providers: bounded in number and time, and without revealing what must stay hidden."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from functools import partial

import attrs
from msgspec.structs import replace

from ..domain.accounts.channel_account import ChannelAccount, channel_account_decider
from ..domain.channel import (
    PROVIDER_TIMEOUT,
    PROVIDER_UNKNOWN,
    ChannelName,
    ChannelOutcome,
    OutcomeStatus,
)
from ..domain.fallback_run import RevokeOutcome
from .deadlines import Deadlines
from .errors import UnavailableError
from .fair_shares import FairShares
from .journal import Journal
from .ports.channels import Accepted, ChannelProvider, Message, Rejected, Unknown

# More sends than this at once on one channel account mean that its provider has stopped answering.
MAX_IN_FLIGHT = 512
# Sends at once, in fair shares of which a quarter is what one channel account may have (D-134).
MOST_SENDS = 4 * MAX_IN_FLIGHT
# One that finds no place waits so many seconds for it, which the due row of every dispatch allows for.
PLACE_PATIENCE = 2.0
# Of what a provider calls a refusal, and of what it says of one, so much is kept.
MAX_CODE, MAX_WORDS = 100, 500
# PostgreSQL stores no NUL, and UTF-8 has no half of a surrogate pair.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NOBODY_KNOWS = "Nobody knows whether the provider took the message."


class ProviderCalls:
    """
    Hands messages to providers, and has them take messages back.

    Never raises for a provider's sake: what goes wrong is the outcome.
    """

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        provider_timeout: float,
        places: int = MOST_SENDS,
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._deadlines = Deadlines(provider_timeout)
        self._in_flight: dict[str, int] = {}
        self._places = FairShares(places)

    @property
    def timeout(self) -> float:
        """How many seconds a provider has to answer."""
        return self._deadlines.seconds

    async def send(
        self, message: Message, veiled: Callable[[Rejected], Rejected]
    ) -> ChannelOutcome:
        """
        Send a message through its channel account, whose sender it gets where it has none.

        A provider may quote what it refuses: `veiled` removes that from its refusal (C-31).
        """
        account_id = message.channel_account_id
        refused = partial(_not_accepted, message.channel, account_id)
        account = await self._account(account_id)
        provider = self._providers.get(account.provider)
        if provider is None:
            return refused(
                OutcomeStatus.REJECTED,
                "provider_not_available",
                "This node has no such provider.",
            )
        if self._in_flight.get(account_id, 0) >= MAX_IN_FLIGHT:
            return self.busy(message.channel, account_id)
        if not self._places.take_now(account.account_id):
            try:
                await self._places.take(account.account_id, PLACE_PATIENCE)
            except UnavailableError:
                return self.busy(message.channel, account_id)
        if message.sender is None and account.sender is not None:
            message = replace(message, sender=account.sender)
        self._in_flight[account_id] = self._in_flight.get(account_id, 0) + 1
        try:
            answer = await self._deadlines.within(provider.send(account.config, message))
        except TimeoutError:
            return refused(
                OutcomeStatus.UNKNOWN, PROVIDER_TIMEOUT, "The provider did not answer in time."
            )
        except (Exception, asyncio.CancelledError) as error:
            if isinstance(error, asyncio.CancelledError) and _is_wanted_to_end():
                raise
            # Only the kind of the error is kept: its text may hold what was sent.
            return refused(
                OutcomeStatus.UNKNOWN,
                PROVIDER_UNKNOWN,
                f"The provider's adapter failed ({type(error).__name__}); nobody knows what it sent.",
            )
        finally:
            self._places.release(account.account_id)
            self._in_flight[account_id] -= 1
            if not self._in_flight[account_id]:
                del self._in_flight[account_id]
        if isinstance(answer, Accepted) and _are_texts(answer.provider_message_id):
            return ChannelOutcome(
                channel=message.channel,
                channel_account_id=account_id,
                status=OutcomeStatus.ACCEPTED,
                provider_message_id=answer.provider_message_id,
            )
        if isinstance(answer, Rejected) and _are_texts(answer.code, answer.message):
            answered = veiled(answer)
            return refused(
                OutcomeStatus.REJECTED, answered.code[:MAX_CODE], answered.message[:MAX_WORDS]
            )
        if isinstance(answer, Unknown) and _are_texts(
            answer.message, answer.provider_message_id or ""
        ):
            answered = veiled(Rejected(PROVIDER_UNKNOWN, answer.message))
            outcome = refused(
                OutcomeStatus.UNKNOWN,
                PROVIDER_UNKNOWN,
                answered.message[:MAX_WORDS] or _NOBODY_KNOWS,
            )
            return attrs.evolve(outcome, provider_message_id=answer.provider_message_id)
        return refused(
            OutcomeStatus.UNKNOWN,
            PROVIDER_UNKNOWN,
            f"The provider's adapter answered with a {type(answer).__name__} that cannot be read.",
        )

    def busy(self, channel: ChannelName, channel_account_id: str) -> ChannelOutcome:
        """Return the outcome of a send that found no place."""
        return _not_accepted(
            channel,
            channel_account_id,
            OutcomeStatus.REJECTED,
            "channel_busy",
            "Too many sends are under way.",
        )

    async def can_revoke(self, channel: ChannelName, channel_account_id: str) -> bool:
        """Say whether a channel account can take messages back."""
        provider = self._providers.get((await self._account(channel_account_id)).provider)
        return provider is not None and provider.can_revoke(channel)

    async def deduplicates(self, channel_account_id: str) -> bool:
        """Say whether a repeated send would reach nobody twice (C-20)."""
        provider = self._providers.get((await self._account(channel_account_id)).provider)
        return provider is not None and provider.deduplicates

    async def revoke(
        self, channel: ChannelName, channel_account_id: str, provider_message_id: str
    ) -> RevokeOutcome:
        """Have a message taken back; no answer in time counts as not revoked (C-20)."""
        account = await self._account(channel_account_id)
        provider = self._providers.get(account.provider)
        if provider is None:
            return RevokeOutcome.NOT_REVOKED
        try:
            outcome: object = await self._deadlines.within(
                provider.revoke(account.config, channel, provider_message_id)
            )
        except Exception:
            return RevokeOutcome.NOT_REVOKED
        return outcome if isinstance(outcome, RevokeOutcome) else RevokeOutcome.NOT_REVOKED

    async def _account(self, channel_account_id: str) -> ChannelAccount:
        account = await self._journal.recall(channel_account_decider, channel_account_id)
        return account.state


def _is_wanted_to_end() -> bool:
    """Say whether our own task was cancelled, and not one that a provider waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _are_texts(*members: object) -> bool:
    """Say whether an answer's members are what their types say, and can be stored: nothing has checked."""
    for each in members:
        if not isinstance(each, str):
            return False
        # Nearly all are printable, which is seen at once.
        if not each.isprintable() and _UNSTORABLE.search(each):
            return False
    return True


def _not_accepted(
    channel: ChannelName, channel_account_id: str, status: OutcomeStatus, code: str, message: str
) -> ChannelOutcome:
    return ChannelOutcome(
        channel=channel,
        channel_account_id=channel_account_id,
        status=status,
        error_code=code,
        error_message=message,
    )
