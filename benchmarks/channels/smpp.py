"""Sends by the provider `smpp` to an SMSC on loopback, beside those of the provider `http`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from attrs import define, field

from ..plan import Plan
from ..processes import StartError, last_words, port_of, running
from .sending import Send, by_http, by_smpp, per_second

WINDOWS = (10, 100)
_COUNTERPARTS = {"http": "benchmarks.channels.vendor", "smpp": "benchmarks.channels.smsc"}


@define
class SmppFound:
    """
    Sends per second by each window, one figure for each round, and bytes per send that waits.

    Over HTTP there are as many calls at once as the window has places.
    """

    http: Mapping[int, list[float]] = field(factory=lambda: {each: [] for each in WINDOWS})
    smpp: Mapping[int, list[float]] = field(factory=lambda: {each: [] for each in WINDOWS})
    waiting: Mapping[str, list[float]] = field(factory=lambda: {each: [] for each in _COUNTERPARTS})

    def ratios(self, window: int) -> list[float]:
        """Return how many times as fast SMPP was."""
        pairs = zip(self.smpp[window], self.http[window], strict=True)
        return [smpp / http for smpp, http in pairs]


async def measure_smpp(plan: Plan, directory: Path, advance: Callable[[str], None]) -> SmppFound:
    """Measure sends over sessions and connections that stay; `advance` gets the name of each step."""
    found = SmppFound()
    logs = directory / "smsc.log", directory / "vendor.log"
    async with AsyncExitStack() as stack:
        smsc = await stack.enter_async_context(running(_COUNTERPARTS["smpp"], log=logs[0]))
        vendor = await stack.enter_async_context(running(_COUNTERPARTS["http"], log=logs[1]))
        url = f"http://127.0.0.1:{await port_of(vendor, logs[1])}/messages"
        port = await port_of(smsc, logs[0])
        http = await stack.enter_async_context(by_http(url))
        smpp = {each: await stack.enter_async_context(by_smpp(port, each)) for each in WINDOWS}
        for number in range(plan.rounds):
            advance(f"smpp: round {number + 1} of {plan.rounds}")
            for window in WINDOWS:
                found.http[window].append(await _measured(http, plan, window))
                found.smpp[window].append(await _measured(smpp[window], plan, window))
    for kind in _COUNTERPARTS:
        advance(f"smpp: {plan.waiting_sends} sends that wait over {kind}")
        found.waiting[kind].append(await _waiting(plan, kind, directory))
    return found


async def _measured(send: Send, plan: Plan, window: int) -> float:
    # The first sends connect.
    await per_second(send, window, window)
    return await per_second(send, plan.sends_per_round, window)


async def _waiting(plan: Plan, kind: str, directory: Path) -> float:
    """Return the bytes that each send takes which waits in a process of its own."""
    log, silent_log = directory / f"waiting-{kind}.log", directory / f"silent-{kind}.log"
    async with running(_COUNTERPARTS[kind], "--silent", log=silent_log) as silent:
        port = str(await port_of(silent, silent_log))
        arguments = (kind, port, str(plan.waiting_sends))
        async with running("benchmarks.channels.waiting", *arguments, log=log) as process:
            assert process.stdout is not None
            try:
                return float(await process.stdout.readline())
            except ValueError:
                raise StartError(last_words(log)) from None
