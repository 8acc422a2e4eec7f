"""The calls of channel providers, for the use cases that send and revoke."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen
from msgspec.structs import replace

from ...domain.accounts.channel_account import (
    ChannelAccount,
    ChannelAccountNotFoundError,
    channel_account_decider,
)
from ...domain.channel import ChannelName, ChannelOutcome, rejected
from ...domain.fallback_run import RevokeOutcome
from ..channel_accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ..channel_accounts.health import UNUSED, BreakerState, ChannelHealth
from ..concurrency.deadlines import Deadlines
from ..concurrency.fair_shares import FairShares
from ..errors import UnavailableError
from ..journal import Journal
from ..ports.channels import Accepted, ChannelProvider, Message, Rejected, SentMessage
from ..ports.clock import Clock
from ..ports.provider_observer import ProviderObserver
from .attempts import Attempts
from .bounds import CONCURRENCY, MOST_WAITING
from .failover import Failover
from .guards import Guard, Guards, Simulates
from .outcomes import BUSY, Veil, outcome_of
from .rating import rated

# The most sends of one channel account with the default limits: under way, and waiting.
MAX_IN_FLIGHT = CONCURRENCY + MOST_WAITING
# The sends at once, in fair shares: a customer's account has a right to a quarter (D-134).
MOST_SENDS = 2_048


@frozen(kw_only=True)
class SendLoad:
    """The sends in this process now, and its channel accounts with a breaker that is not closed."""

    under_way: int
    waiting: int
    open: int
    half_open: int


class ProviderCalls:
    """
    Sends messages through providers, and revokes them.

    A failure of a provider never raises; it becomes the outcome. `simulates` says for which accounts
    silence is no sign of a provider that is away.
    """

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        secrets: ChannelSecrets,
        provider_timeout: float,
        places: int = MOST_SENDS,
        *,
        clock: Clock,
        simulates: Simulates = lambda _: False,
        observers: Sequence[ProviderObserver] = (),
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._secrets = secrets
        self._clock = clock
        self._deadlines = Deadlines(provider_timeout)
        self._observers = observers
        self._guards = Guards(provider_timeout, simulates, self._ignores_repeats, self._turned)
        self._attempts = Attempts(
            providers, secrets, FairShares(places), self._turned, self.adapter_failed
        )
        self._failover = Failover(self._attempts, self._guards, self._find)

    @property
    def timeout(self) -> float:
        """The seconds within which a send ends, with all its attempts."""
        return self._deadlines.seconds

    @property
    def load(self) -> SendLoad:
        """The sends and breakers of this process now, for metrics."""
        guards = tuple(self._guards)
        states = [each.breaker.state for each in guards]
        return SendLoad(
            under_way=sum(each.bounds.in_flight for each in guards),
            waiting=sum(each.bounds.waiting for each in guards),
            open=states.count(BreakerState.OPEN),
            half_open=states.count(BreakerState.HALF_OPEN),
        )

    async def send(
        self, message: Message, veiled: Callable[[Rejected], Rejected]
    ) -> ChannelOutcome:
        """
        Send a message through its channel account, and through others if that one cannot (C-69).

        Without a sender, it has the account's. A provider may quote the content that it refuses:
        `veiled` removes it from the refusal (C-31).
        """
        account_id = message.channel_account_id
        guard = self._guards.of(account_id, await self._account(account_id))
        began = guard.now()
        answer = await self._attempts.once(guard, message, veiled)
        if type(answer) is Accepted:
            guard.last_at = began
            outcome = outcome_of(answer, message)
            return outcome if guard.prices is None else rated(outcome, guard, message)
        until = began + self.timeout
        outcome = await self._failover.follow(guard, answer, message, veiled, until)
        taken_by = self._guards.find(outcome.channel_account_id or "")
        return rated(outcome, taken_by, message)

    async def send_once(self, message: Message, veiled: Veil) -> ChannelOutcome:
        """
        Send a message through its channel account alone, within its bounds, as a test (C-67).

        Neither an open breaker nor a disabled account stops it; an answer closes the breaker.
        """
        account_id = message.channel_account_id
        guard = self._guards.of(account_id, await self._account(account_id))
        own = guard.account.limits.timeout_seconds
        seconds = self.timeout if own is None else min(own, self.timeout)
        answer = await self._attempts.once(guard, message, veiled, seconds, testing=True)
        return outcome_of(answer, message)

    def busy(self, channel: ChannelName, channel_account_id: str) -> ChannelOutcome:
        """Return the outcome of a send without a free place."""
        return rejected(channel, channel_account_id, BUSY.code, BUSY.message)

    def health(self, channel_account_id: str) -> ChannelHealth:
        """Return the state of a channel account in this process (C-66)."""
        guard = self._guards.find(channel_account_id)
        return UNUSED if guard is None else guard.health_at(self._clock.real())

    async def can_revoke(self, channel: ChannelName, channel_account_id: str) -> bool:
        """Return whether a channel account can revoke messages."""
        provider = self._providers.get((await self._account(channel_account_id)).provider)
        return provider is not None and provider.can_revoke(channel)

    async def deduplicates(self, channel_account_id: str) -> bool:
        """
        Return whether a send may be repeated after a crash, because its provider ignores it (C-20).

        With failover, another account may have taken the send, and that one would not be asked (D-227).
        """
        account = await self._account(channel_account_id)
        return self._ignores_repeats(account) and not account.failover

    async def revoke(
        self, channel: ChannelName, channel_account_id: str, sent: SentMessage
    ) -> RevokeOutcome:
        """
        Revoke a message; no answer in time counts as not revoked (C-20).

        Without a sender, it was sent with the account's.
        """
        account = await self._account(channel_account_id)
        provider = self._providers.get(account.provider)
        if provider is None:
            return RevokeOutcome.NOT_REVOKED
        try:
            config = await self._secrets.config_of(channel_account_id, account)
            if sent.sender is None:
                sent = replace(sent, sender=account.sender)
            outcome: object = await self._deadlines.within(provider.revoke(config, channel, sent))
        except (TimeoutError, ChannelSecretMissingError, UnavailableError):
            return RevokeOutcome.NOT_REVOKED
        except Exception as error:
            self.adapter_failed(channel_account_id, "revoke", error)
            return RevokeOutcome.NOT_REVOKED
        return outcome if isinstance(outcome, RevokeOutcome) else RevokeOutcome.NOT_REVOKED

    def adapter_failed(self, channel_account_id: str, call: str, error: BaseException) -> None:
        """Report an exception of an adapter to the observers, so that operators see its place."""
        for observer in self._observers:
            observer.adapter_failed(channel_account_id, call, error)

    async def _account(self, channel_account_id: str) -> ChannelAccount:
        account = await self._journal.recall_recent(channel_account_decider, channel_account_id)
        return account.state

    async def _find(self, channel_account_id: str) -> ChannelAccount | None:
        try:
            return await self._account(channel_account_id)
        except ChannelAccountNotFoundError:
            return None

    def _ignores_repeats(self, account: ChannelAccount) -> bool:
        provider = self._providers.get(account.provider)
        return provider is not None and provider.deduplicates

    def _turned(self, guard: Guard) -> None:
        breaker = guard.breaker
        seconds = breaker.pause if breaker.state is BreakerState.OPEN else 0.0
        for observer in self._observers:
            observer.breaker_turned(guard.channel_account_id, str(breaker.state), seconds)
