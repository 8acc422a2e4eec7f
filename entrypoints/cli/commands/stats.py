"""`watchword stats`: what became of the sends of codes (C-80)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from ....application.statistics.asking import Question
from ..building.groups import epilog
from ..options.search_options import query_of, search_options
from ..options.target_options import managing
from ..output.csv_cells import lines
from ..output.figures_table import cost_texts, echo_figures
from ..output.json_text import echo_json
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management
    from ..service.records import Record

_COUNTS = (
    "sent",
    "accepted",
    "delivered",
    "verified",
    "expired",
    "blocked",
    "refused",
    "test",
)


@click.command(
    short_help="Show what became of codes, as a table with bars.",
    epilog=epilog(
        "watchword stats",
        "watchword stats --account web-shop --by day --group country",
        "watchword stats --from 2031-05-01 --to 2031-06-01 --by day --csv > may.csv",
        "watchword stats --group channel --json --url http://127.0.0.1:8080",
    ),
)
@search_options(Question)
@click.option("--csv", "as_csv", is_flag=True, help="Write CSV instead of a table.")
@managing
def stats(target: Target, as_csv: bool, as_json: bool, **filters: Any) -> None:
    """
    Show how many codes were sent, and what became of them: a row an hour of the send, or a day.

    The last day by the hour is shown, or the last thirty days by the day. A bar is the part of the sends
    that was verified. With --group channel, provider or channelAccount, a send counts on each of its
    channels; else it counts once. Expired PINs are those whose time is over now. Seconds are those from
    the send to the verification. A cost with a tilde is an estimate by the prices of the channel account.
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json are two forms of one answer. Choose one.")
    query = query_of(Question, filters)

    async def ask(management: Management) -> Record:
        return await management.statistics(query)

    answer = target.ask(ask, to_read=True)
    group = query.get("group")
    if as_json:
        echo_json(answer)
    elif as_csv:
        columns = ("at", *((group,) if group else ()), *_COUNTS, "p50", "p95", "cost")
        sys.stdout.buffer.write(lines([columns, *(_cells(each, group) for each in answer["data"])]))
    else:
        echo_figures(answer["data"], group)


def _cells(row: Mapping[str, Any], group: str | None) -> list[Any]:
    member = [row[group]] if group else []
    seconds = row["secondsToVerify"]
    counts = [row[each] for each in _COUNTS]
    return [row["at"], *member, *counts, seconds["p50"], seconds["p95"], "; ".join(cost_texts(row))]
