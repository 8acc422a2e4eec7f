"""Send a message through a channel account, and through others where that one does not take it (C-69)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from ...domain.accounts.channel_account import ChannelAccount
from ...domain.channel import ChannelOutcome, TriedAccount
from ..ports.channels import Accepted, Fault, Message, Rejected, Unknown
from .attempts import Attempts
from .guards import Guard, Guards, attempt_seconds
from .outcomes import Answer, Veil, as_tried, outcome_of, standing

# The faults after which another account may do better; the other faults are the message's own.
PASSED_ON = frozenset({Fault.AWAY, Fault.BUSY, Fault.ACCOUNT})
# The part of the time-out that an attempt needs; with less, it would hardly get an answer.
LEAST_PART = 0.05

FindAccount = Callable[[str], Awaitable[ChannelAccount | None]]


class Failover:
    """
    Follows up on first attempts, within the one provider time-out of a send.

    So the watch for orphaned dispatches need not know of failover.
    """

    def __init__(
        self,
        attempts: Attempts,
        guards: Guards,
        find: FindAccount,
    ) -> None:
        self._attempts = attempts
        self._guards = guards
        self._find = find

    async def follow(
        self, guard: Guard, answer: Answer, message: Message, veiled: Veil, until: float
    ) -> ChannelOutcome:
        """
        Return the outcome of a send whose first attempt got this answer, which is no acceptance.

        The attempts that follow end at `until`, in the machine's seconds.
        """
        chain = _Chain(guard, message, veiled, until)
        chain.note(answer, message)
        names = guard.account.failover
        await self._repeat(chain, guard, message, another=bool(names))
        for number, name in enumerate(names, start=1):
            if not (chain.goes_on and self._has_time(chain)):
                break
            other = await self._find(name)
            # The record was checked when it was made; a message never leaves its customer's accounts.
            if other is None or not _serves(other, guard.account):
                continue
            await self._try(chain, self._guards.of(name, other), another=number < len(names))
        return chain.outcome()

    async def _try(self, chain: _Chain, guard: Guard, *, another: bool) -> None:
        message = replace(
            chain.message, channel_account_id=guard.channel_account_id, sender=guard.account.sender
        )
        chain.passes_on()
        seconds = attempt_seconds(guard.account, chain.rest, another=another or guard.repeats)
        chain.note(await self._attempts.once(guard, message, chain.veiled, seconds), message)
        await self._repeat(chain, guard, message, another=another)

    async def _repeat(
        self, chain: _Chain, guard: Guard, message: Message, *, another: bool
    ) -> None:
        """
        Repeat an unknown attempt once, if its provider ignores a reference that it has seen (C-68).

        Where another account is asked next, that is quicker than a second silence.
        """
        if not (guard.repeats and chain.in_doubt) or (another and chain.goes_on):
            return
        if not self._has_time(chain) or guard.breaker.refuses(guard.now()):
            return
        seconds = attempt_seconds(guard.account, chain.rest, another=another)
        chain.note_repeated(
            await self._attempts.once(guard, message, chain.veiled, seconds), message
        )

    def _has_time(self, chain: _Chain) -> bool:
        return chain.rest >= LEAST_PART * self._guards.timeout


class _Chain:
    """The attempts of one send that its first account did not accept at once."""

    def __init__(self, guard: Guard, message: Message, veiled: Veil, until: float) -> None:
        self.message = message
        self.veiled = veiled
        self._guard = guard
        self._until = until
        self._answers: list[Answer] = []
        self._messages: list[Message] = []
        # The answer that decides whether another account is asked.
        self._last: Answer
        self._doubts_followed = 0
        own = guard.account.failover_on_unknown
        # A second message is seen by its recipient; a second code is the same one.
        self._follows_doubt = message.content is None if own is None else own

    @property
    def rest(self) -> float:
        """The seconds that are left for the send."""
        return self._until - self._guard.now()

    @property
    def in_doubt(self) -> bool:
        """Whether nobody knows if the last account took the message."""
        return isinstance(self._last, Unknown)

    @property
    def goes_on(self) -> bool:
        """Whether another account is asked after the last answer."""
        if isinstance(self._last, Rejected):
            return self._last.fault in PASSED_ON
        return self.in_doubt and self._follows_doubt and not self._doubts_followed

    def passes_on(self) -> None:
        """Note that another account is asked now."""
        self._doubts_followed += self.in_doubt

    def note(self, answer: Answer, message: Message) -> None:
        """Note the answer to an attempt."""
        self._last = answer
        self._answers.append(answer)
        self._messages.append(message)

    def note_repeated(self, answer: Answer, message: Message) -> None:
        """Note the answer to a repeated attempt; only an acceptance ends the doubt about the first."""
        before = self._last
        self.note(answer, message)
        if not isinstance(answer, Accepted):
            self._last = before

    def outcome(self) -> ChannelOutcome:
        """Return the outcome of the send: of the account that took it, or of the attempt that stands."""
        place = standing(self._answers)
        answer, message = self._answers[place], self._messages[place]
        return outcome_of(answer, message, self._tried(answer, message))

    def _tried(self, answer: Answer, message: Message) -> tuple[TriedAccount, ...]:
        """Return all attempts; none if the first account took it, or no other could (D-225)."""
        first = self._guard.channel_account_id
        taken_by_first = isinstance(answer, Accepted) and message.channel_account_id == first
        if taken_by_first or not self._guard.account.failover:
            return ()
        lines = zip(self._answers, self._messages, strict=True)
        return tuple([as_tried(each, sent.channel_account_id) for each, sent in lines])


def _serves(other: ChannelAccount, first: ChannelAccount) -> bool:
    return (other.account_id, other.channel_type) == (first.account_id, first.channel_type)
