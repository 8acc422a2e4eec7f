"""`watchword rebuild`: makes rows follow from the log again, while the service goes on (C-81)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....application.audit.rebuilt_lists import LISTS
from ...wire.rebuilds import Rebuild
from ..building.groups import epilog
from ..options.target_options import managing
from ..output.json_text import echo_json
from ..output.progress import progress
from ..output.tables import echo_table
from ..service.records import Kind, Record
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management

REBUILD = Kind("rebuild", "/rebuild", Rebuild, {})


@click.command(
    short_help="Make lists follow from the log again, beside service.",
    epilog=epilog(
        "watchword rebuild --url http://127.0.0.1:8080",
        "watchword rebuild --only verifications --only messages --url http://127.0.0.1:8080",
        "watchword rebuild --data-dir /var/lib/watchword",
    ),
)
@click.option(
    "--only",
    type=click.Choice(LISTS),
    multiple=True,
    metavar="LIST",
    help=f"Rebuild this list alone; may be given several times. Lists are {', '.join(LISTS)}.",
)
@managing
@click.pass_context
def rebuild(context: click.Context, target: Target, as_json: bool, only: tuple[str, ...]) -> None:
    """
    Read the whole log, and put right the rows that do not follow from it.

    A running service goes on: each repair requires that its stream did not change since it was read. Rows
    that no stream has are removed. The log gets an event with the number of rows. Rows stay as they are if
    the events of their stream are not as decisions make them; the exit status is then 1.
    """

    async def ask(management: Management) -> Record:
        report: Record = {}
        with progress("% of the log") as advance:
            async for report in management.lines(REBUILD, body={"only": list(only)}):
                advance(report.get("progress", 100), 100)
        return report

    report = target.ask(ask)
    if as_json:
        echo_json(report)
    else:
        _echo(report)
    context.exit(1 if report["flawed"] else 0)


def _echo(report: Record) -> None:
    replaced, removed = report["replaced"], report["removed"]
    read = f"{report['events']} events of {report['streams']} streams"
    if not replaced and not removed:
        click.echo(f"Nothing was to be put right: {read}.")
    else:
        names = sorted({*replaced, *removed})
        echo_table(
            ("list", "replaced", "removed"),
            [(name, replaced.get(name, 0), removed.get(name, 0)) for name in names],
            title=f"Read {read}\n",
        )
    if report["flawed"]:
        click.echo(
            f"Nothing was repaired beside {report['flawed']} streams: their events are not as decisions make"
            " them. `watchword audit check` names them.",
            err=True,
        )
