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

from . import event_loop
from .parts import measured, total_steps
from .plan import FEW, MANY, Part, Plan
from .processes import StartError
from .report import Result, show, to_json

# Inside the checkout, because the system's temporary folder may be in memory.
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
@click.option(
    "--part",
    "parts",
    type=click.Choice([each.value for each in Part]),
    multiple=True,
    help="Measure this part alone; may be repeated.  [default: all]",
)
@click.option(
    "--stored",
    type=click.IntRange(min=2),
    help="PINs of the long store, in the parts `growth`, `console` and `retention`, and people in the large"
    " one, in the part `people`  [default: 1000000; quick: 20000].",
)
@click.option(
    "--against",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Another checkout, whose Watchword takes turns with this one in the part `people`.",
)
@click.option("--quick", is_flag=True, help="Measure less: a few minutes instead of many.")
def main(
    cycles: int | None,
    rounds: int | None,
    json_file: Path | None,
    parts: tuple[str, ...],
    stored: int | None,
    against: Path | None,
    quick: bool,
) -> None:
    """
    Measure Watchword against the least that a durable PIN service can do.

    Servers take turns on this machine, on SQLite and on PostgreSQL: that least (the skeleton),
    Watchword on one node and on two, and Watchword with an Idempotency-Key on every create. PostgreSQL
    is that of the tests; WATCHWORD_TEST_POSTGRES names another one.
    """
    many = stored or (20_000 if quick else MANY)
    plan = Plan(
        cycles=cycles or (2000 if quick else 20_000),
        rounds=rounds or (2 if quick else 5),
        parts=tuple(Part(each) for each in parts) or tuple(Part),
        stored=(min(FEW, many // 2), many),
        against=None if against is None else str(against),
    )
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
        # SIGTERM cancels the run, so that it ends its processes.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    bar = progress.add_task("starting", total=total_steps(plan))
    return await measured(
        plan, directory, lambda what: progress.update(bar, description=what, advance=1)
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
