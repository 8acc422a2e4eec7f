"""`python -m benchmarks`: measure, and print one table."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import event_loop, machine
from .messages import measure_messages
from .plan import Plan
from .processes import StartError
from .report import Result, message_figures, show, store_figures, to_json
from .rounds import run_rounds, steps
from .store import measure_store
from .summary import summarize
from .targets import SKELETON

# Beside the checkout and not in the system's folder for such things, which may be no disk at all.
_HOME = Path("var")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--cycles",
    type=click.IntRange(min=1),
    help="Cycles per server at 32 connections  [default: 20000; quick: 2000].",
)
@click.option("--rounds", type=click.IntRange(min=1), help="Rounds  [default: 5; quick: 2].")
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the result to this file, too.",
)
@click.option("--quick", is_flag=True, help="Measure less: half a minute instead of a few.")
def main(cycles: int | None, rounds: int | None, json_file: Path | None, quick: bool) -> None:
    """
    Measure Watchword against the least that a durable PIN service can do.

    Four servers take turns on this machine: bare aiohttp, that least (the skeleton), Watchword,
    and Watchword with an Idempotency-Key on every create.
    """
    plan = Plan(cycles=cycles or (2000 if quick else 20_000), rounds=rounds or (2 if quick else 5))
    try:
        result = _run(plan)
    except StartError as error:
        raise click.ClickException(str(error)) from None
    except asyncio.CancelledError:
        raise click.Abort from None
    show(result)
    if json_file is not None:
        json_file.write_bytes(to_json(result))
    if any(server.failed for server in result.servers):
        sys.exit(1)


def _run(plan: Plan) -> Result:
    _HOME.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="benchmark-", dir=_HOME) as name,
        _progress() as progress,
    ):
        return event_loop.run(_measure(plan, Path(name).resolve(), progress))


async def _measure(plan: Plan, directory: Path, progress: Progress) -> Result:
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):
        # Processes are ended on the way out, so there must be a way out.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    bar = progress.add_task("starting the servers", total=steps(plan) + 2 * plan.rounds + 2)

    def advance(what: str) -> None:
        progress.update(bar, description=what, advance=1)

    measured = await run_rounds(plan, directory, advance)
    stored = await measure_store(plan, directory, advance)
    messages = await measure_messages(plan, directory, advance)
    skeleton = next(each for each in measured if each.name == SKELETON)
    return Result(
        machine=machine.description(),
        plan=plan,
        servers=[summarize(each, skeleton) for each in measured],
        store_us=store_figures(stored),
        messages_us=message_figures(messages),
    )


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


if __name__ == "__main__":
    main()
