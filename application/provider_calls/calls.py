"""Call channel providers, with limits on number and time, and without revealing secrets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from functools import partial

import attrs
from msgspec.structs import replace

from ...domain.accounts.channel_account import ChannelAccount, channel_account_decider
from ...domain.channel import (
    PROVIDER_TIMEOUT,
    PROVIDER_UNKNOWN,
    ChannelName,
    ChannelOutcome,
    OutcomeStatus,
)
from ...domain.fallback_run import RevokeOutcome
from ..accounts.channel_health import BreakerState, ChannelHealth
from ..accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ..concurrency.deadlines import Deadlines
from ..concurrency.fair_shares import FairShares
from ..errors import UnavailableError
from ..journal import Journal
from ..ports.channels import Accepted, ChannelProvider, Message, Rejected, SentMessage, Unknown

# With more sends at once on one channel account, its provider has stopped answering.
MAX_IN_FLIGHT = 512
# The sends at once, in fair shares: a channel account has a right to a quarter (D-134).
MOST_SENDS = 4 * MAX_IN_FLIGHT
# The seconds for which a send waits for a place; the due row of every dispatch allows for them.
PLACE_PATIENCE = 2.0
# The lengths to which a provider's error code and text are cut.
MAX_CODE, MAX_WORDS = 100, 500
# PostgreSQL cannot store NUL, and UTF-8 has no unpaired surrogates.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_CANNOT_OPEN = (
    "This node cannot open the secrets of the channel account. Start it with the code key that seals"
    " them; if that key is lost, update the config with its secrets."
)
_NOBODY_KNOWS = "Nobody knows whether the provider took the message."


class ProviderCalls:
    """
    Sends messages through providers, and revokes them.

    A failure of a provider never raises; it becomes the outcome.
    """

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        secrets: ChannelSecrets,
        provider_timeout: float,
        places: int = MOST_SENDS,
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._secrets = secrets
        self._deadlines = Deadlines(provider_timeout)
        self._in_flight: dict[str, int] = {}
        self._places = FairShares(places)

    @property
    def timeout(self) -> float:
        """The seconds within which a provider has to answer."""
        return self._deadlines.seconds

    def health(self, channel_account_id: str) -> ChannelHealth:
        """Return what this process knows of the sends through a channel account (C-66)."""
        in_flight = self._in_flight.get(channel_account_id, 0)
        return ChannelHealth(breaker=BreakerState.CLOSED, in_flight=in_flight)

    async def send(
        self, message: Message, veiled: Callable[[Rejected], Rejected]
    ) -> ChannelOutcome:
        """
        Send a message through its channel account; by default, with the account's sender.

        A provider may quote the content that it refuses: `veiled` removes it from the refusal
        (C-31).
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
        try:
            config = (
                await self._secrets.config_of(account_id, account)
                if account.sealed
                else account.config
            )
        except ChannelSecretMissingError:
            return refused(OutcomeStatus.REJECTED, "channel_secret_missing", _CANNOT_OPEN)
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
            answer = await self._deadlines.within(provider.send(config, message))
        except TimeoutError:
            return refused(
                OutcomeStatus.UNKNOWN, PROVIDER_TIMEOUT, "The provider did not answer in time."
            )
        except (Exception, asyncio.CancelledError) as error:
            if isinstance(error, asyncio.CancelledError) and _is_wanted_to_end():
                raise
            # Only the class of the error is kept, because its text may quote the message.
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
        return _outcome_of(answer, message, veiled)

    async def send_once(
        self, message: Message, veiled: Callable[[Rejected], Rejected]
    ) -> ChannelOutcome:
        """Send a message through its channel account alone, also while that is disabled (C-67)."""
        return await self.send(message, veiled)

    def busy(self, channel: ChannelName, channel_account_id: str) -> ChannelOutcome:
        """Return the outcome of a send without a free place."""
        return _not_accepted(
            channel,
            channel_account_id,
            OutcomeStatus.REJECTED,
            "channel_busy",
            "Too many sends are under way.",
        )

    async def can_revoke(self, channel: ChannelName, channel_account_id: str) -> bool:
        """Return whether a channel account can revoke messages."""
        provider = self._providers.get((await self._account(channel_account_id)).provider)
        return provider is not None and provider.can_revoke(channel)

    async def deduplicates(self, channel_account_id: str) -> bool:
        """Return whether the provider ignores a repeated send (C-20)."""
        provider = self._providers.get((await self._account(channel_account_id)).provider)
        return provider is not None and provider.deduplicates

    async def revoke(
        self, channel: ChannelName, channel_account_id: str, sent: SentMessage
    ) -> RevokeOutcome:
        """Revoke a message; no answer in time counts as not revoked (C-20)."""
        account = await self._account(channel_account_id)
        provider = self._providers.get(account.provider)
        if provider is None:
            return RevokeOutcome.NOT_REVOKED
        try:
            config = await self._secrets.config_of(channel_account_id, account)
            outcome: object = await self._deadlines.within(provider.revoke(config, channel, sent))
        except Exception:
            return RevokeOutcome.NOT_REVOKED
        return outcome if isinstance(outcome, RevokeOutcome) else RevokeOutcome.NOT_REVOKED

    async def _account(self, channel_account_id: str) -> ChannelAccount:
        account = await self._journal.recall_recent(channel_account_decider, channel_account_id)
        return account.state


def _is_wanted_to_end() -> bool:
    """Return whether our own task was cancelled, and not a task that the provider waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _outcome_of(
    answer: object, message: Message, veiled: Callable[[Rejected], Rejected]
) -> ChannelOutcome:
    """Return the outcome of a send from its adapter's answer, whose values are unchecked."""
    if isinstance(answer, Accepted) and _are_texts(answer.provider_message_id):
        return ChannelOutcome(
            channel=message.channel,
            channel_account_id=message.channel_account_id,
            status=OutcomeStatus.ACCEPTED,
            provider_message_id=answer.provider_message_id,
        )
    refused = partial(_not_accepted, message.channel, message.channel_account_id)
    if isinstance(answer, Rejected) and _are_texts(answer.code, answer.message):
        answered = veiled(answer)
        return refused(
            OutcomeStatus.REJECTED, answered.code[:MAX_CODE], answered.message[:MAX_WORDS]
        )
    if isinstance(answer, Unknown) and _are_texts(answer.message, answer.provider_message_id or ""):
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


def _are_texts(*members: object) -> bool:
    """Return whether an adapter's unchecked values are texts that can be stored."""
    for each in members:
        if not isinstance(each, str):
            return False
        # `isprintable` is fast, and nearly all texts are printable.
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
