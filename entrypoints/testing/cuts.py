"""Cut an adapter's conversations at random bytes, and compare its answers with what the counterpart took."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field, frozen

from ...application.ports.channels import Accepted, ChannelProvider, Fault, Message, Rejected
from .contract.hooks import PATIENCE
from .faulty_tcp import FaultyTcp
from .messages import CODE

_VARIABLE = "WATCHWORD_CUTS"
# One send in so many finds that its kept connections were closed while nobody used them.
_STALE = 10
# The seconds between two sends to an adapter that is connecting again.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.05


@define
class Cuts:
    """
    The tally of cut conversations.

    `wrongly_rejected` are sends that the counterpart took and the adapter called rejected. `sent_twice` are
    those that the counterpart took more than once, and `wrongly_accepted` those that it did not take.
    `quoted` are answers that have the code or the text. Each entry says where the cut was.
    """

    answers: dict[str, int] = field(factory=dict)
    cut: int = 0
    taken: int = 0
    wrongly_rejected: list[str] = field(factory=list)
    wrongly_accepted: list[str] = field(factory=list)
    sent_twice: list[str] = field(factory=list)
    quoted: list[str] = field(factory=list)

    @property
    def wrong(self) -> list[str]:
        """Every wrong answer, every repeated send and every leak."""
        return [*self.wrongly_rejected, *self.wrongly_accepted, *self.sent_twice, *self.quoted]


def cuts_wanted() -> int:
    """Return how many conversations are cut: `WATCHWORD_CUTS`, or 100."""
    return int(os.environ.get(_VARIABLE, "100"))


async def cuts(
    provider: ChannelProvider,
    config: Mapping[str, Any],
    proxy: FaultyTcp,
    taken: Callable[[], int],
    message: Callable[[int], Message],
    *,
    count: int | None = None,
    seed: int = 21,
) -> Cuts:
    """
    Send messages one after the other, and cut `count` of their conversations at random bytes.

    `provider` is open, and `config` leads it through the proxy. `taken` counts what the counterpart has
    taken, and `message` makes the n-th message. The bytes are those of either direction, each equally
    likely; some cuts reset the connection, and some come while it is idle. The way is free again after each
    cut, so that a blind repetition reaches the counterpart and is counted. While an adapter that holds its
    connection is away, the send is repeated.
    Raises `AssertionError` if the first message, which is not cut, is not accepted, if the adapter does not
    connect again, or if fewer than `count` conversations were cut.
    """
    dice = random.Random(seed)  # noqa: S311  a seed makes a failing cut come again
    wanted = cuts_wanted() if count is None else count
    tally = Cuts()
    sends = _Sends(provider=provider, config=config, proxy=proxy, taken=taken, tally=tally)
    longest = await sends.uncut(message(0))
    number = 0
    while tally.cut < wanted and number < 4 * wanted:
        number += 1
        up = dice.random() * sum(longest.values()) < longest[True]
        at, reset = dice.randint(0, longest[up]), dice.random() < 0.3
        place = _Cut(at=at, up=up, reset=reset, stale=dice.randrange(_STALE) == 0)
        await sends.cut(message(number), place, f"send {number}, byte {at}, {up=}, {reset=}")
    if tally.cut < wanted:
        raise AssertionError(
            f"Only {tally.cut} of {wanted} conversations were cut in {number} sends, with the answers"
            f" {tally.answers}. Lead the config through the proxy, and answer Fault.AWAY while there"
            " is no connection."
        )
    return tally


@frozen(kw_only=True)
class _Cut:
    """The place of a cut: a byte of a direction, or an idle connection."""

    at: int
    up: bool
    reset: bool
    stale: bool

    def arm(self, proxy: FaultyTcp) -> bool:
        """Close what is idle, or cut the next conversation; return whether a connection was closed."""
        if self.stale:
            return proxy.drop(reset=self.reset) > 0
        sent, received = (self.at, None) if self.up else (None, self.at)
        proxy.cut(sent=sent, received=received, reset=self.reset)
        return False


@frozen(kw_only=True)
class _Sends:
    """Sends through the proxy, each repeated until the adapter has a connection to cut."""

    provider: ChannelProvider
    config: Mapping[str, Any]
    proxy: FaultyTcp
    taken: Callable[[], int]
    tally: Cuts

    async def uncut(self, message: Message) -> Mapping[bool, int]:
        """Send a message that is not cut; return the bytes of its conversation in each direction."""
        waiting = _Waiting(self.proxy, self.tally.cut)
        while True:
            before = self.proxy.sent, self.proxy.received
            answer = await self._answer(message)
            after = self.proxy.sent, self.proxy.received
            if before != after or not _is_away(answer):
                break
            await waiting.before_the_next_try()
        self._count(answer)
        if not isinstance(answer, Accepted):
            raise AssertionError(f"Accept the first message, which is not cut; it was {answer!r}.")
        return {True: after[0] - before[0], False: after[1] - before[1]}

    async def cut(self, message: Message, place: _Cut, where: str) -> None:
        """Send a message, cut its conversation, and judge the answer."""
        waiting = _Waiting(self.proxy, self.tally.cut)
        while True:
            before, passed = self.taken(), self.proxy.sent + self.proxy.received
            dropped = place.arm(self.proxy)
            answer = await self._answer(message)
            was_cut = dropped or not (place.stale or self.proxy.armed)
            passed = self.proxy.sent + self.proxy.received - passed
            await self.proxy.mend()
            await self.proxy.settled()
            _judge(self.tally, answer, self.taken() - before, where)
            if was_cut or passed or not _is_away(answer):
                break
            await waiting.before_the_next_try()
        self._count(answer)
        self.tally.cut += was_cut
        # The service drops the text of an exception.
        is_answer = not isinstance(answer, Exception)
        if is_answer and any(each in repr(answer) for each in (CODE, message.text)):
            self.tally.quoted.append(f"quoted the text: {where}")

    async def _answer(self, message: Message) -> object:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self.provider.send(self.config, message)
        except Exception as error:
            # It counts as unknown, as in the service.
            return error

    def _count(self, answer: object) -> None:
        name = type(answer).__name__
        self.tally.answers[name] = self.tally.answers.get(name, 0) + 1


class _Waiting:
    """
    Waits for an adapter that is away.

    One that holds a connection from `open` on is away after a cut, until it has connected again. Only its
    answer says when it is ready, so the pauses after its connection grow.
    """

    def __init__(self, proxy: FaultyTcp, cut: int) -> None:
        self._proxy, self._cut = proxy, cut
        self._pause = _FIRST_PAUSE
        self._until = asyncio.get_running_loop().time() + PATIENCE

    async def before_the_next_try(self) -> None:
        """Wait for a connection and a moment; raise `AssertionError` when the patience is at its end."""
        try:
            async with asyncio.timeout_at(self._until):
                await self._proxy.connected()
                await asyncio.sleep(self._pause)
        except TimeoutError:
            raise AssertionError(
                f"The adapter answered Fault.AWAY for {PATIENCE} s after {self._cut} cuts, although its"
                " counterpart was there. Connect again, with pauses of less than that."
            ) from None
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)


def _is_away(answer: object) -> bool:
    return isinstance(answer, Rejected) and answer.fault is Fault.AWAY


def _judge(tally: Cuts, answer: object, taken: int, where: str) -> None:
    tally.taken += min(taken, 1)
    if isinstance(answer, Rejected) and taken:
        tally.wrongly_rejected.append(f"rejected though taken: {where}, {answer.code}")
    if isinstance(answer, Accepted) and not taken:
        tally.wrongly_accepted.append(f"accepted though not taken: {where}")
    if taken > 1:
        tally.sent_twice.append(f"taken {taken} times: {where}")
