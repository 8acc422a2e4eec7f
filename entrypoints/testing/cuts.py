"""Cut an adapter's conversations at random bytes, and compare its answers with what the counterpart took."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from ...application.ports.channels import Accepted, ChannelProvider, Message, Rejected
from .contract_hooks import PATIENCE
from .faulty_tcp import FaultyTcp
from .messages import CODE

_VARIABLE = "WATCHWORD_CUTS"
# One send in so many finds that its kept connections were closed while nobody used them.
_STALE = 10


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
    cut, so that a blind repetition reaches the counterpart and is counted.
    """
    dice = random.Random(seed)  # noqa: S311  a seed makes a failing cut come again
    wanted = cuts_wanted() if count is None else count
    tally = Cuts()
    await _send(provider, config, message(0), tally)
    longest = {True: proxy.sent, False: proxy.received}
    number = 0
    while tally.cut < wanted and number < 4 * wanted:
        number += 1
        up = dice.random() * (longest[True] + longest[False]) < longest[True]
        at, reset = dice.randint(0, longest[up]), dice.random() < 0.3
        if is_stale := dice.randrange(_STALE) == 0:
            proxy.drop(reset=reset)
        else:
            proxy.cut(sent=at if up else None, received=None if up else at, reset=reset)
        before = taken()
        sent = message(number)
        answer = await _send(provider, config, sent, tally)
        was_cut = is_stale or not proxy.armed
        await proxy.mend()
        await proxy.settled()
        tally.cut += was_cut
        where = f"send {number}, byte {at}, {up=}, {reset=}"
        _judge(tally, answer, taken() - before, where)
        # The service drops the text of an exception.
        is_answer = not isinstance(answer, Exception)
        if is_answer and any(each in repr(answer) for each in (CODE, sent.text)):
            tally.quoted.append(f"quoted the text: {where}")
    return tally


async def _send(
    provider: ChannelProvider, config: Mapping[str, Any], message: Message, tally: Cuts
) -> object:
    try:
        async with asyncio.timeout(PATIENCE):
            answer: object = await provider.send(config, message)
    except Exception as error:
        # It counts as unknown, as in the service.
        answer = error
    name = type(answer).__name__
    tally.answers[name] = tally.answers.get(name, 0) + 1
    return answer


def _judge(tally: Cuts, answer: object, taken: int, where: str) -> None:
    tally.taken += min(taken, 1)
    if isinstance(answer, Rejected) and taken:
        tally.wrongly_rejected.append(f"rejected though taken: {where}, {answer.code}")
    if isinstance(answer, Accepted) and not taken:
        tally.wrongly_accepted.append(f"accepted though not taken: {where}")
    if taken > 1:
        tally.sent_twice.append(f"taken {taken} times: {where}")
