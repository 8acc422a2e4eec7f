"""Measures the console: its pages on a long store, and starts with and without it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from attrs import define, field

from watchword.entrypoints.settings import Settings

from ..long_stores.seeding import STEPS, seed
from ..machine import usage
from ..plan import Plan
from ..processes import port_of, running
from ..summary import Spread
from .pages import page_times, settled

_SERVE = ("watchword.entrypoints.cli", "serve", "--sandbox", "--port", "0", "--data-dir")
# Nobody looks at these servers: whether the console costs them something is what is measured.
_KINDS = {"with the console": (), "with --no-console": ("--no-console",)}
_MIB = 1 << 20


@define
class ConsoleFound:
    """The milliseconds of pages on a store of `pins` PINs, and what starts cost by kind of server."""

    pins: int
    pages: dict[str, Spread | None] = field(factory=dict)
    start_ms: dict[str, list[float]] = field(factory=dict)
    resident_mib: dict[str, list[float]] = field(factory=dict)


async def measure_console(
    plan: Plan, directory: Path, advance: Callable[[str], None]
) -> ConsoleFound:
    """Measure on SQLite; `advance` gets the name of each next step."""
    found = ConsoleFound(max(plan.stored))
    await _pages(found, directory, advance)
    for number in range(plan.rounds):
        advance(f"console: starts {number + 1} of {plan.rounds}")
        # In turns, each first in half of the rounds.
        for kind in sorted(_KINDS, reverse=bool(number % 2)):
            home = directory / f"{kind}-{number}"
            home.mkdir()
            await _start(found, kind, home)
    return found


def console_steps(plan: Plan) -> int:
    """Return the number of steps that a measurement reports."""
    return STEPS + 2 + plan.rounds


def console_figures(found: ConsoleFound) -> dict[str, Spread | None]:
    """Return the figures under the names that the table shows."""
    pages = {f"ms: {path}": each for path, each in found.pages.items()}
    starts = {f"start-up ms, {kind}": Spread.of(each) for kind, each in found.start_ms.items()}
    memory = {f"RSS MiB, {kind}": Spread.of(each) for kind, each in found.resident_mib.items()}
    return {**pages, **starts, **memory}


async def _pages(found: ConsoleFound, directory: Path, advance: Callable[[str], None]) -> None:
    home = directory / "pages"
    home.mkdir()
    settings = Settings(data_dir=home, sandbox=True)
    storing = partial(advance, f"console: storing {found.pins:,} PINs")
    seeded = await seed(settings, found.pins, advance=storing)
    log = directory / "pages.log"
    async with running(*_SERVE, str(home), log=log) as process:
        port = await port_of(process, log)
        await settled(port, seeded.events, partial(advance, "console: counting and sealing"))
        advance(f"console: loading pages with {found.pins:,} PINs")
        found.pages = await page_times(port, seeded)


async def _start(found: ConsoleFound, kind: str, home: Path) -> None:
    log = home.with_suffix(".log")
    began = perf_counter()
    async with running(*_SERVE, str(home), *_KINDS[kind], log=log) as process:
        await port_of(process, log)
        found.start_ms.setdefault(kind, []).append((perf_counter() - began) * 1000)
        if (used := usage(process.pid)) is not None:
            found.resident_mib.setdefault(kind, []).append(used.resident / _MIB)
