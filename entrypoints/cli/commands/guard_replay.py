"""`watchword guard replay`: what a policy would have refused of the recorded sends (C-78)."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...wire.codec import wire_time
from ...wire.guard_replays import GuardReplay
from ..building.groups import epilog
from ..building.record_commands import account_option
from ..options.policy_files import policy_in
from ..options.shared import time
from ..options.target_options import managing
from ..output.csv_cells import lines
from ..output.json_text import echo_json
from ..output.progress import progress
from ..output.tables import echo_table
from ..service.records import Kind, Record
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management

REPLAY = Kind("guard", "/guard", GuardReplay, {})
_COUNTS = ("sends", "refused", "refusedThatVerified")
_GROUPS = {"byDay": "day", "byCountry": "country", "byPrefix": "prefix"}
# Prefixes that a table shows; the CSV and the JSON have all that the service reports.
_MOST_ROWS = 10


@click.command(
    short_help="Show what a policy would have refused.",
    epilog=epilog(
        "watchword guard replay --policy policy.toml --from 2026-11-01 --account web-shop",
        "watchword guard replay --policy policy.json --from 2026-11-01 --to 2026-11-08 \\\n"
        "    --account web-shop --csv > replay.csv",
    ),
)
@click.option(
    "--policy",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="The policy, in TOML or JSON, as `watchword guard set` takes it.",
)
@click.option(
    "--from",
    "since",
    required=True,
    callback=time,
    metavar="TIME",
    help="The first send that counts, such as 2026-11-01 or 2026-11-01T12:00:00Z.",
)
@click.option(
    "--to",
    "until",
    callback=time,
    metavar="TIME",
    help="Only sends before this time (default: now).",
)
@account_option("whose sends they are")
@click.option("--csv", "as_csv", is_flag=True, help="Print one table as CSV.")
@managing
def replay(
    target: Target,
    as_json: bool,
    policy: Path,
    since: datetime,
    until: datetime | None,
    account: str,
    as_csv: bool,
) -> None:
    """
    Replay a policy over the recorded sends of codes, and say what it would have refused.

    Rules that the policy enforces refuse; rules on record refuse nothing. Nothing is written. The second
    figure is the cost for honest people: refused sends whose codes were verified later.
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json are two forms of one answer. Choose one.")
    body = {
        "account": account,
        "policy": policy_in(policy),
        "from": wire_time(since),
        **({} if until is None else {"to": wire_time(until)}),
    }

    async def ask(management: Management) -> Record:
        report: Record = {}
        with progress("% of the log") as advance:
            async for report in management.lines(REPLAY, "replay", body=body):
                advance(report.get("progress", 100), 100)
        return report

    report = target.ask(ask)
    if as_json:
        echo_json(report)
    elif as_csv:
        sys.stdout.buffer.write(lines(_csv(report)))
    else:
        _echo(report)


def _echo(report: Record) -> None:
    sends, refused, verified = (report[name] for name in _COUNTS)
    click.echo(
        f"Of {sends} sends the policy would have refused {refused}, of which {verified} verified later."
    )
    for member, name in _GROUPS.items():
        rows = [(each[name] or "none", *_counts(each)) for each in report[member]]
        if rows:
            echo_table((name, "sends", "refused", "verified"), rows[:_MOST_ROWS], title="")
        if len(rows) > _MOST_ROWS:
            click.echo(f"… and {len(rows) - _MOST_ROWS} more; --csv prints all of them.")
    if report["inexactBecauseRefused"]:
        click.echo(
            f"\nThe guard refused at least {report['inexactBecauseRefused']} calls at the time."
            " They are on no record, so these figures are too low."
        )


def _csv(report: Record) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = [("group", "value", *_COUNTS), ("all", "", *_counts(report))]
    for member, name in _GROUPS.items():
        rows += [(name, each[name], *_counts(each)) for each in report[member]]
    return rows


def _counts(figures: Record) -> tuple[int, ...]:
    return tuple(figures[name] for name in _COUNTS)
